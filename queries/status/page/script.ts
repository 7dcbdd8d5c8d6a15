/**
 * What the page does beside being read, where scripts run: local times beside those of the page, a button per day in the
 * bars, and a look for news each minute that it is on screen. It takes nobody's focus, and changes nothing that somebody is at.
 */
export const script = `(()=>{
const $=(s,r=document)=>[...r.querySelectorAll(s)],el=(t,p={})=>Object.assign(document.createElement(t),p)
const levels=['','b1','b2','b3']
function localTimes(root){for(const t of $('time[data-zone]',root)){const d=new Date(t.dateTime),f=new Intl.DateTimeFormat(document.documentElement.lang,{dateStyle:'medium',timeStyle:'short'})
if(f.format(d)!==new Intl.DateTimeFormat(document.documentElement.lang,{dateStyle:'medium',timeStyle:'short',timeZone:t.dataset.zone}).format(d))t.after(el('span',{className:'dim',textContent:' ('+f.format(d)+' your time)'}))}}
function bars(root){for(const bar of $('.bar[data-from]',root)){const odd=JSON.parse(bar.dataset.days),strip=el('div',{className:'days'}),detail=el('div',{className:'detail',hidden:true})
strip.setAttribute('role','group');strip.setAttribute('aria-label',bar.dataset.label);detail.setAttribute('aria-live','polite')
const first=Date.parse(bar.dataset.from),count=+bar.dataset.count,names=new Intl.DateTimeFormat('en-GB',{dateStyle:'long',timeZone:'UTC'})
for(let i=0;i<count;i++){const [level=0,uptime='100',state='',incidents=[],n=0]=odd[i]||[],day=names.format(first+i*864e5)
const name=day+': '+(level==='n'?'no data':uptime+' % uptime'+(state?', '+state:'')+', '+(n===0?'no incidents':n===1?'1 incident':n+' incidents'))
const b=el('button',{type:'button',className:level==='n'?'bn':levels[level],title:name,tabIndex:i===count-1?0:-1});b.setAttribute('aria-label',name);b.setAttribute('aria-expanded','false')
b.onclick=()=>{const was=b.getAttribute('aria-expanded')==='true';for(const o of strip.children)o.setAttribute('aria-expanded','false');detail.hidden=was;b.setAttribute('aria-expanded',String(!was))
const step=(n,t)=>{const to=strip.children[i+n];return el('button',{type:'button',textContent:t,disabled:!to,onclick(){to.click();detail.querySelector(n<0?'button':'button+button').focus()}})}
detail.replaceChildren(el('p',{textContent:name}),step(-1,'Earlier day'),step(1,'Later day'),...incidents.map(id=>{const p=el('p');p.append(el('a',{href:'/incidents/'+id,textContent:'Incident '+id}));return p}))}
strip.append(b)}
strip.onkeydown=e=>{const all=[...strip.children],at=all.indexOf(document.activeElement),to={ArrowLeft:at-1,ArrowRight:at+1,Home:0,End:count-1,PageUp:at-7,PageDown:at+7}[e.key]
if(to===undefined)return;e.preventDefault();const next=all[Math.max(0,Math.min(count-1,to))];all[at].tabIndex=-1;next.tabIndex=0;next.focus()}
bar.querySelector('svg').replaceWith(strip);strip.after(detail)}}
localTimes(document);bars(document)
if(!document.body.dataset.refresh)return
const said=document.getElementById('said'),headline=r=>r.querySelector('.headline').textContent.trim()
setInterval(async()=>{if(document.hidden)return
try{const a=await fetch(location.pathname,{cache:'no-cache'});if(!a.ok)return
const d=new DOMParser().parseFromString(await a.text(),'text/html'),now=d.querySelector('main'),old=document.querySelector('main')
if(d.body.dataset.refresh===document.body.dataset.refresh)return
if(headline(now)!==headline(old)||now.querySelectorAll('.open .update').length>old.querySelectorAll('.open .update').length)said.textContent=headline(now)
if(old.contains(document.activeElement)){if(!document.querySelector('.news')){const p=el('p',{className:'news'});p.append('This page has changed. ',el('a',{href:location.pathname,textContent:'Show the change'}));old.before(p)}return}
old.replaceWith(now);document.body.dataset.refresh=d.body.dataset.refresh;localTimes(now);bars(now)}catch{}},60000)
})()`
