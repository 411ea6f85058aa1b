/** The script of the page: what is looked for stays, the rest goes. Without it everything is shown. */
export const FILTER = `
const form = document.getElementById('filter')
const articles = [...document.querySelectorAll('article')]
const sections = [...document.querySelectorAll('section[data-chapter]')]
const words = new Map(articles.map((article) => [article, article.textContent.toLowerCase()]))
const apply = () => {
  const { words: typed, chapter, level, found } = form.elements
  const wanted = typed.value.toLowerCase().split(/\\s+/).filter(Boolean)
  for (const article of articles) {
    const text = words.get(article)
    const isThere = chapter.value === '' || article.parentElement.id === chapter.value
    const isOfLevel = level.value === '' || article.dataset.level === level.value
    article.hidden = !(isThere && isOfLevel && wanted.every((word) => text.includes(word)))
  }
  for (const section of sections)
    section.hidden = ![...section.querySelectorAll('article')].some((article) => !article.hidden)
  const shown = articles.filter((article) => !article.hidden).length
  found.value = shown === articles.length ? '' : shown + ' of ' + articles.length + ' rows'
}
const reveal = () => {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (row === null) return
  if (row.hidden || row.parentElement.hidden) {
    form.reset()
    apply()
  }
  row.querySelector(':scope > details')?.setAttribute('open', '')
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
