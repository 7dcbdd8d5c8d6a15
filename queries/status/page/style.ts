/** Colours have 4.5:1 against their ground as text, and 3:1 as bars; what they say is said by words and shapes as well. */
export const style = `:root{color-scheme:light dark;--bg:#fff;--fg:#1a2129;--dim:#4d5865;--line:#c9d1da;--card:#f5f7f9;--link:#0550ae;--l0:#1a7f37;--l1:#8a6100;--l2:#b84300;--l3:#b3261e;--maint:#0550ae;--focus:#0550ae}
@media(prefers-color-scheme:dark){:root{--bg:#0f151c;--fg:#e8edf2;--dim:#a9b4c0;--line:#3a4653;--card:#182029;--link:#7ab7ff;--l0:#4cc38a;--l1:#e3b341;--l2:#f0883e;--l3:#ff8a80;--maint:#7ab7ff;--focus:#7ab7ff}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}a:focus-visible,button:focus-visible,summary:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--bg);padding:.5rem;z-index:1}
header,main,footer{max-width:52rem;margin:0 auto;padding:1rem}header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:baseline}header p{margin:0;font-size:1.25rem;font-weight:600}
nav a,footer a{display:inline-block;min-height:24px;margin-right:1rem}
h1{font-size:1.5rem;line-height:1.25;margin:1rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}h4{font-size:1rem;margin:.75rem 0 .25rem}
.headline{border:2px solid var(--line);border-left-width:.6rem;border-radius:.4rem;padding:.75rem 1rem;background:var(--card)}
.none{border-color:var(--l0)}.minor{border-color:var(--l1)}.major{border-color:var(--l2)}.critical{border-color:var(--l3)}.maintenance{border-color:var(--maint)}
.card{border:1px solid var(--line);border-radius:.4rem;padding:.5rem 1rem;margin:.75rem 0}.open{border-left:.4rem solid var(--l2)}
ul.plain,ol.plain{list-style:none;margin:0;padding:0}.row{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;padding:.4rem 0;border-top:1px solid var(--line)}li:first-child>.row{border-top:0}
.row>span:first-child,summary>span:first-child{font-weight:600}.state{white-space:nowrap}.state svg{width:1.1em;height:1.1em;vertical-align:-.15em;margin-right:.35em}
.operational{color:var(--l0)}.degraded_performance{color:var(--l1)}.partial_outage{color:var(--l2)}.major_outage{color:var(--l3)}.under_maintenance{color:var(--maint)}
details{border-top:1px solid var(--line)}summary{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;padding:.5rem 0;min-height:24px;cursor:pointer}summary>span:first-child::before{content:"\\25B8\\00A0"}details[open]>summary>span:first-child::before{content:"\\25BE\\00A0"}details>ul{padding-left:1rem}.measured{border:0;color:var(--dim);font-size:.875rem}.measured>summary{display:inline-block;padding:.2rem 0}.measured>summary>span{font-weight:400}.measured ul{margin:.2rem 0}.measured p{margin:.2rem 0 .6rem}.quiet{margin:.75rem 0}
.dim,small{color:var(--dim);font-size:.875rem}.bar{margin:.25rem 0 .75rem}.bar svg,.days{display:block;width:100%;height:34px}.days{display:flex;align-items:flex-end;gap:1px}.days button{flex:1 1 0;min-width:0;padding:0;border:0;border-radius:1px;background:var(--l0);height:100%;cursor:pointer}
.l0{fill:var(--l0)}.l1{fill:var(--l1)}.l2{fill:var(--l2)}.l3{fill:var(--l3)}.ln{fill:var(--dim)}
.days .b1{background:var(--l1);height:85%}.days .b2{background:var(--l2);height:65%}.days .b3{background:var(--l3);height:45%}.days .bn{background:linear-gradient(var(--dim),var(--dim)) bottom/100% 2px no-repeat}
.ends{display:flex;justify-content:space-between;flex-wrap:wrap;gap:0 1rem}@media(max-width:30rem){.ends>:nth-child(2){order:1;flex-basis:100%}.bar .days{gap:0}}.detail{border:1px solid var(--line);border-radius:.4rem;padding:.5rem;margin:.25rem 0}.detail button{min-height:24px;margin-right:.5rem}
.update{margin:.5rem 0}.update p{margin:.1rem 0}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid var(--line)}
.news{position:sticky;top:0;background:var(--card);padding:.5rem 1rem;border:2px solid var(--focus)}
@media(forced-colors:active){.days button{forced-color-adjust:none}.l0,.l1,.l2,.l3,.ln{fill:CanvasText}}
@media(prefers-reduced-motion:no-preference){a,button{transition:background-color .1s}}
@media print{header nav,footer nav,.skip,.news{display:none}details>*{display:block}body{color:#000;background:#fff}.card,.headline{break-inside:avoid}}`
