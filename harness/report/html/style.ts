/** The style of the pages for people: wide and narrow, light and dark, and printed. */
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
  --open: light-dark(#4c4a86, #b9b6f5);
  --good: light-dark(#1c6443, #86d7ae);
  --bad: light-dark(#a11d33, #ff9aa8);
  --warn: light-dark(#7a5200, #f3c969);
  --bar-passed: light-dark(#2f7d5b, #3f9a72);
  --bar-failed: light-dark(#b3243b, #d9566b);
  --bar-accepted: light-dark(#c08a1e, #c9982f);
  --bar-undecided: light-dark(#6a67b0, #8582cf);
  --bar-not-tested: light-dark(#8fa3b5, #62788c);
  --bar-not-applicable: light-dark(#dfe4e9, #343c45);
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
main { max-width: 60rem; margin: 0 auto; padding: 1.25rem; }
h1 { margin: 0.5rem 0; font-size: 1.9rem; line-height: 1.2; text-wrap: balance; }
h2 { margin: 3rem 0 0.25rem; font-size: 1.45rem; border-bottom: 2px solid var(--ink); padding-bottom: 0.2rem; }
h3 { margin: 1.6rem 0 0; font-size: 1.1rem; line-height: 1.4; font-weight: 600; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.88rem; font-variant-numeric: tabular-nums; min-width: 100%; }
caption { text-align: start; font-weight: 600; padding: 0.4rem 0; }
th, td { padding: 0.3rem 0.55rem; border-bottom: 1px solid var(--edge); text-align: start; vertical-align: top; font-weight: 400; }
th:first-child { padding-inline-start: 0; }
thead th { color: var(--soft); vertical-align: bottom; }
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
[hidden] { display: none; }
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
.id { font-variant-numeric: tabular-nums; }
.level { font-size: 0.74rem; letter-spacing: 0.02em; padding: 0.08rem 0.4rem; border: 1px solid; border-radius: 1rem; white-space: nowrap; }
.must { color: var(--must); }
.should { color: var(--warn); }
.may { color: var(--good); }
.level.not-shown { color: var(--open); }
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
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 0 1rem 1.5rem; font-size: 0.92rem; }
  nav ul { display: block; }
  nav li { display: flex; justify-content: space-between; padding: 0.15rem 0; }
  main { width: 100%; padding-top: 1.5rem; }
}
@media (max-width: 30rem) {
  main { padding: 0.75rem; }
  form { position: static; }
}
section { scroll-margin-top: 1rem; }
p { max-width: 46rem; }
td.number, th.number { text-align: end; }
tbody th { font-weight: 600; }
tbody th + th, tbody.together th[scope='row'] { padding-inline-start: 0.55rem; }
td p { margin: 0.35rem 0 0; }
td h3 { font-size: 0.9rem; margin-top: 0.7rem; color: var(--soft); }
table ul { margin: 0; padding-inline-start: 1rem; }
.facts th { white-space: nowrap; padding-inline-end: 1.2rem; color: var(--soft); font-weight: 400; }
.facts { min-width: 0; }
.cover { padding-block: 1.5rem 2rem; }
.cover h1 { font-size: 2.2rem; }
.cover .about { font-size: 1.15rem; margin: 0.2rem 0 1.4rem; }
.kicker { margin: 0; color: var(--soft); letter-spacing: 0.04em; }
.conclusion { margin: 1.2rem 0; padding: 0.9rem 1.1rem; border: 1px solid; border-inline-start-width: 0.5rem; border-radius: 0.35rem; background: var(--card); }
.conclusion p { margin: 0; }
.conclusion .headline { font-size: 1.35rem; font-weight: 700; line-height: 1.3; }
.conclusion .scope { color: var(--ink); margin-top: 0.3rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.open { color: var(--warn); }
.meanings { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: 0.3rem 0.8rem; align-items: baseline; }
.meanings dt, .meanings dd { margin: 0; }
.summary p { font-size: 1.05rem; }
.badge { display: inline-block; font-size: 0.78rem; line-height: 1.3; padding: 0.05rem 0.45rem; border: 1px solid; border-radius: 1rem; white-space: nowrap; }
.badge.passed { color: var(--good); }
.badge.failed, .badge.critical { color: var(--bad); }
.badge.accepted, .badge.major { color: var(--warn); }
.badge.undecided { color: var(--open); }
.badge.not-tested, .badge.not-applicable, .badge.minor { color: var(--soft); }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0.6rem; }
.numbers div { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: 0.4rem 0.7rem; background: var(--card); border: 1px solid var(--edge); border-radius: 0.35rem; }
.numbers dt { margin: 0; font-size: 0.85rem; color: var(--soft); }
.numbers dd { margin: 0; font-size: 1.6rem; font-weight: 700; line-height: 1.2; color: var(--ink); font-variant-numeric: tabular-nums; }
.top { padding: 0; list-style: none; }
.top li { margin: 0.3rem 0; }
.picture { margin: 1rem 0; }
.picture .row { display: grid; grid-template-columns: 9rem minmax(0, 1fr) 3rem; gap: 0.6rem; align-items: center; font-size: 0.88rem; margin: 0.3rem 0; }
.picture .bar { display: flex; height: 1.1rem; overflow: hidden; border-radius: 0.2rem; }
.picture .count { text-align: end; color: var(--soft); font-variant-numeric: tabular-nums; }
.part { min-width: 2px; }
.part.passed, .key.passed { background: var(--bar-passed); }
.part.failed, .key.failed { background: repeating-linear-gradient(45deg, var(--bar-failed) 0 4px, color-mix(in srgb, var(--bar-failed), black 25%) 4px 6px); }
.part.accepted, .key.accepted { background: var(--bar-accepted); }
.part.undecided, .key.undecided { background: repeating-linear-gradient(90deg, var(--bar-undecided) 0 4px, color-mix(in srgb, var(--bar-undecided), white 35%) 4px 6px); }
.part.not-tested, .key.not-tested, .part.not-selected, .key.not-selected { background: color-mix(in srgb, var(--bar-not-tested), var(--ground) 35%); }
.part.without-a-key-of-the-profile, .key.without-a-key-of-the-profile { background: var(--bar-not-tested); }
.part.without-allow, .key.without-allow { background: repeating-linear-gradient(135deg, var(--bar-not-tested) 0 4px, var(--ground) 4px 6px); }
.part.without-time, .key.without-time { background: repeating-linear-gradient(90deg, var(--bar-not-tested) 0 2px, var(--ground) 2px 4px); }
.part.without-a-person, .key.without-a-person { background: repeating-linear-gradient(0deg, var(--bar-not-tested) 0 2px, var(--ground) 2px 4px); }
.part.not-applicable, .key.not-applicable { background: var(--bar-not-applicable); }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; margin: 0.6rem 0 0; padding: 0; list-style: none; font-size: 0.88rem; }
.key { display: inline-block; width: 0.9rem; height: 0.9rem; border-radius: 0.15rem; margin-inline-end: 0.35rem; vertical-align: -0.1rem; }
.finding { margin: 0.9rem 0; padding: 0.85rem 1rem; background: var(--card); border: 1px solid var(--edge); border-radius: 0.5rem; }
.finding h3 { margin-top: 0; }
.finding dl { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0.45rem 1rem; margin: 0.8rem 0 0; }
.finding dt { margin: 0; color: var(--soft); }
.finding dd { margin: 0; color: var(--ink); overflow-wrap: anywhere; }
.finding dd p { margin: 0 0 0.3rem; }
pre { margin: 0.3rem 0; padding: 0.6rem 0.7rem; border: 1px solid var(--edge); border-radius: 0.3rem; background: var(--ground); font: 0.8rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: 1.2rem 0 1.8rem; }
figure .scroll { border: 1px solid var(--edge); border-radius: 0.4rem; padding: 0.5rem; background: light-dark(#fff, #14181d); }
figure img { display: block; width: 100%; min-width: 42rem; height: auto; }
.finding img { display: block; width: 100%; height: auto; }
figcaption { font-size: 0.94rem; margin-top: 0.45rem; max-width: 46rem; }
.digest { font-size: 0.82em; color: var(--soft); overflow-wrap: anywhere; }
.exchanges { margin: 0.3rem 0 0; padding: 0; list-style: none; font-size: 0.9em; }
.exchanges li { overflow-wrap: anywhere; }
.exchanges li:target, tr:target > * { background: color-mix(in srgb, var(--accent) 16%, transparent); }
.quiet { color: var(--soft); font-size: 0.95em; }
.zero { color: var(--soft); }
.sign td { height: 3.4rem; min-width: 7rem; }
.contents ol { columns: 2; column-gap: 2.5rem; margin: 0.4rem 0; padding-inline-start: 1.4rem; }
.contents li { margin: 0.2rem 0; break-inside: avoid; }
.wide { min-width: 46rem; }
td .id, th .id { white-space: nowrap; }
a.id { text-decoration: underline; }
.scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 36rem) {
  .picture .row { grid-template-columns: 6.5rem minmax(0, 1fr) 2rem; gap: 0.4rem; font-size: 0.8rem; }
  .finding dl { grid-template-columns: minmax(0, 1fr); gap: 0.15rem; }
  .finding dt { margin-top: 0.5rem; }
  .facts, .facts tbody, .facts tr, .facts th, .facts td { display: block; border: 0; padding: 0; }
  .facts tr { padding: 0.3rem 0; border-bottom: 1px solid var(--edge); }
  .contents ol { columns: 1; }
  .wide, .wide caption, .wide tbody, .wide tr, .wide th, .wide td { display: block; min-width: 0; padding-inline: 0; }
  .wide thead { display: none; }
  .wide th, .wide td { border-bottom: 0; }
  .wide td.number { text-align: start; }
  .wide tr { padding: 0.5rem 0; border-bottom: 1px solid var(--edge); }
  .cover h1 { font-size: 1.7rem; }
}
@page {
  size: A4;
  margin: 18mm 16mm 20mm;
  @bottom-left { content: "Compliance report"; font: 8pt system-ui, sans-serif; color: #55626f; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt system-ui, sans-serif; color: #55626f; }
}
@page :first { @bottom-left { content: none; } @bottom-right { content: none; } }
@media screen {
  .only-print { display: none; }
}
@media print {
  :root { color-scheme: only light; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  html { font-size: 9.5pt; }
  body { display: block; font-size: 1rem; line-height: 1.42; background: #fff; }
  main { max-width: none; padding: 0; }
  details::details-content { content-visibility: visible; height: auto; }
  summary { list-style: none; color: inherit; }
  a { color: inherit; text-decoration: none; }
  p { max-width: none; }
  .cover { padding: 0; }
  .contents { break-before: page; }
  h2, h3, caption { break-after: avoid; }
  section > h2 { break-before: auto; margin-top: 2rem; }
  .contents > h2 { margin-top: 0; }
  .contents a[data-page]::after { content: ", page " attr(data-page); }
  #sign-off, #glossary { break-inside: avoid; }
  section.chapter { break-before: page; }
  table { font-size: 8pt; min-width: 0; width: 100%; }
  thead { display: table-header-group; break-after: avoid; }
  tr, .picture, pre, figure, dt { break-inside: avoid; }
  tbody.together { break-inside: avoid; }
  tr.long { break-inside: auto; }
  #coverage th, #coverage td { padding-block: 0.1rem; }
  .meanings { row-gap: 0.1rem; }
  .scroll { overflow: visible; }
  .wide, figure img { min-width: 0; }
  figure img { max-height: 225mm; object-fit: contain; }
  figure .scroll { border: 0; padding: 0; background: #fff; }
  article.finding { border: 1px solid #bbb; border-radius: 2mm; padding: 3mm 4mm; margin: 3mm 0; break-inside: auto; }
  .finding dd { break-inside: avoid; }
  .only-screen { display: none; }
  pre { font-size: 7.5pt; }
}
`
