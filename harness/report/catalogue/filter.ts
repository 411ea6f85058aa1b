/** The script of the catalogue: what is looked for stays, the rest goes. Without it everything is shown. */
export const FILTER = `
const form = document.getElementById('filter')
const rows = [...document.querySelectorAll('tr[data-level]')]
const sections = [...document.querySelectorAll('section')].filter((one) => one.querySelector('tr[data-level]'))
const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]))
const apply = () => {
  const { words: typed, chapter, level, found } = form.elements
  const wanted = typed.value.toLowerCase().split(/\\s+/).filter(Boolean)
  for (const row of rows) {
    const text = words.get(row)
    const isThere = chapter.value === '' || row.closest('section').id === chapter.value
    const isOfLevel = level.value === '' || row.dataset.level === level.value
    row.hidden = !(isThere && isOfLevel && wanted.every((word) => text.includes(word)))
  }
  for (const section of sections)
    section.hidden = ![...section.querySelectorAll('tr[data-level]')].some((row) => !row.hidden)
  const shown = rows.filter((row) => !row.hidden).length
  found.value = shown === rows.length ? '' : shown + ' of ' + rows.length + ' rows'
}
const reveal = () => {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (row === null) return
  if (row.closest('[hidden]') !== null) {
    form.reset()
    apply()
  }
  if (row.matches('tr')) row.querySelector('details')?.setAttribute('open', '')
  row.scrollIntoView()
}
form.hidden = false
form.addEventListener('input', apply)
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', reveal)
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true
})
apply()
reveal()
`
