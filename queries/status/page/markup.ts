/** Elements of a page, from HTML as it reads. Whatever is put in is text unless it is an element itself. */
export { html } from 'htm/preact'
