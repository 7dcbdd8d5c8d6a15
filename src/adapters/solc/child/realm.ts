/**
 * JavaScript that stands around the text of a compiler, in a realm where nothing of Node is: neither `process` nor `require`, no timers,
 * no `fetch`. Only strings go in and come out, of one character per byte, so that nobody gets hold of an object of ours.
 *
 * Compilers decode their own WebAssembly with `atob` where it is there, and character by character where it isn't, which takes seconds.
 */
const before = `(function (realm) {
  var digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  var values = new Uint8Array(128)
  for (var place = 0; place < 64; place++) values[digits.charCodeAt(place)] = place

  function textOf(bytes) {
    var text = ''
    for (var at = 0; at < bytes.length; at += 8192) text += String.fromCharCode.apply(null, bytes.subarray(at, at + 8192))
    return text
  }

  function atob(text) {
    var length = text.length
    while (text[length - 1] === '=') length--
    var bytes = new Uint8Array(Math.floor((length * 3) / 4))
    for (var from = 0, to = 0; from < length; from += 4) {
      var bits = 0
      for (var next = 0; next < 4; next++) bits = (bits << 6) | (from + next < length ? values[text.charCodeAt(from + next)] : 0)
      bytes[to++] = bits >> 16
      bytes[to++] = bits >> 8
      bytes[to++] = bits
    }
    return textOf(bytes)
  }

  var Module = (function (print, printErr) {
    var Module
`

const after = `
    return Module
  })(function () {}, function () {})

  function read(pointer) {
    return textOf(Module.HEAPU8.subarray(pointer, Module.HEAPU8.indexOf(0, pointer)))
  }

  realm.version = function () {
    return read((Module._solidity_version || Module._version)())
  }
  realm.compile = function (input) {
    var pointer = Module._malloc(input.length + 1)
    var memory = Module.HEAPU8
    for (var at = 0; at < input.length; at++) memory[pointer + at] = input.charCodeAt(at)
    memory[pointer + input.length] = 0
    // No callback for imports: what is not among the sources is not found.
    var output = read((Module._solidity_compile || Module._compileStandard)(pointer, 0, 0))
    Module._free(pointer)
    if (Module._solidity_reset) Module._solidity_reset()
    return output
  }
})(globalThis)`

export function realmScript(compiler: string): string {
  return before + compiler + after
}
