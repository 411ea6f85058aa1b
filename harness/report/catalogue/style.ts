/** The style of the page: wide and narrow, light and dark, and printed. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfbf9, #16191d);
  --ink: light-dark(#1f2933, #dfe5ea);
  --soft: light-dark(#55626f, #9dabb8);
  --edge: light-dark(#dcdfe3, #323a43);
  --card: light-dark(#fff, #1c2127);
  --accent: light-dark(#0b5e95, #7cc0f2);
  --must: light-dark(#8d1f31, #ffa3ad);
  --should: light-dark(#7a5200, #f3c969);
  --may: light-dark(#1c6443, #86d7ae);
  --open: light-dark(#4c4a86, #b9b6f5);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5.5rem; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
code { font: 0.86em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
nav { padding: 1rem 1.25rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.15rem 1rem; margin: 0; padding: 0; list-style: none; }
nav small { color: var(--soft); font-variant-numeric: tabular-nums; }
main { max-width: 52rem; margin: 0 auto; padding: 1.25rem; }
h1 { margin: 0.5rem 0; font-size: 1.9rem; line-height: 1.2; text-wrap: balance; }
h2 { margin: 3rem 0 0.25rem; font-size: 1.45rem; }
h3 { margin: 0; font-size: 1.02rem; line-height: 1.4; font-weight: 600; }
h4 { margin: 0.9rem 0 0.2rem; font-size: 0.9rem; color: var(--soft); }
.origin { color: var(--soft); font-size: 0.9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.88rem; font-variant-numeric: tabular-nums; min-width: 100%; }
caption { text-align: start; font-weight: 600; padding: 0.4rem 0; }
th, td { padding: 0.3rem 0.55rem; border-bottom: 1px solid var(--edge); text-align: end; font-weight: 400; }
th:first-child { text-align: start; padding-inline-start: 0; }
thead th { color: var(--soft); vertical-align: bottom; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
form {
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  gap: 0.5rem 0.75rem;
  margin: 1.25rem -0.5rem 0;
  padding: 0.6rem 0.5rem;
  background: var(--ground);
  border-bottom: 1px solid var(--edge);
}
form[hidden], [hidden] { display: none; }
form label { font-size: 0.82rem; color: var(--soft); }
form label:first-child { flex: 1 1 14rem; }
form input, form select {
  display: block;
  width: 100%;
  height: 2.3rem;
  padding: 0 0.5rem;
  font: inherit;
  font-size: 0.95rem;
  color: var(--ink);
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 0.35rem;
}
output { flex-basis: 100%; font-size: 0.85rem; color: var(--soft); }
output:empty { display: none; }
article {
  margin: 0.9rem 0;
  padding: 0.85rem 1rem;
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
}
article:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.id { font-variant-numeric: tabular-nums; }
.level { font-size: 0.74rem; letter-spacing: 0.02em; padding: 0.08rem 0.4rem; border: 1px solid; border-radius: 1rem; margin: 0 0.25rem; white-space: nowrap; }
.must { color: var(--must); }
.should { color: var(--should); }
.may { color: var(--may); }
.level.undisclosed { color: var(--open); }
blockquote { margin: 0.55rem 0; padding-inline-start: 0.8rem; border-inline-start: 3px solid var(--edge); }
blockquote p { margin: 0; font-style: italic; }
blockquote footer { font-size: 0.84rem; color: var(--soft); }
article > p { margin: 0.45rem 0; }
.reading, .recorded, .because { font-size: 0.94rem; }
.tags { font-size: 0.8rem; color: var(--soft); }
.tags span { padding: 0.05rem 0.45rem; border: 1px solid var(--edge); border-radius: 1rem; }
summary { cursor: pointer; color: var(--accent); font-size: 0.94rem; }
details ul { margin: 0.2rem 0; padding-inline-start: 1.15rem; font-size: 0.92rem; }
details li { margin: 0.4rem 0; }
details p { margin: 0; }
.terms { color: var(--soft); font-size: 0.88rem; }
.kind { font-size: 0.78rem; color: var(--open); border: 1px solid; border-radius: 1rem; padding: 0 0.4rem; }
dl { font-size: 0.94rem; }
dt { margin-top: 0.6rem; }
dd { margin: 0 0 0 1rem; color: var(--soft); }
@media (min-width: 70rem) {
  body { display: grid; grid-template-columns: 14rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 0 1rem 1.5rem; }
  nav ul { display: block; }
  nav li { display: flex; justify-content: space-between; padding: 0.15rem 0; }
  main { width: 100%; padding-top: 1.5rem; }
}
@media (max-width: 30rem) {
  main { padding: 0.75rem; }
  form { position: static; }
  article { padding: 0.75rem; }
  .claim { display: block; margin-top: 0.25rem; }
}
@media print {
  :root { color-scheme: light; }
  body { display: block; font-size: 10pt; background: #fff; }
  nav, form { display: none; }
  main { max-width: none; padding: 0; }
  h2 { break-before: page; }
  article { break-inside: avoid; border: 0; border-top: 1px solid #bbb; border-radius: 0; padding: 0.5rem 0; }
  details::details-content { content-visibility: visible; height: auto; }
  article:target { box-shadow: none; border-color: #bbb; }
  summary { list-style: none; color: inherit; }
  a { color: inherit; text-decoration: none; }
}
`

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
