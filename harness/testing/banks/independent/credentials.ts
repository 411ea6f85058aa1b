/** The variables that saltmarsh.yaml reads with `env:NAME`. */
export const credentials = {
  MILL_ID: 'mill/ledger',
  MILL_SECRET: 'water:wheel %41+',
  KILN_SECRET: 'brick&clay=2',
  BOOKS_SECRET: 'abacus"9',
  TILL_SECRET: 'drawer',
  MARIT: 'Marit Øst',
  MARIT_KEY: 'dune & "reed" +1',
  JOOST_KEY: 'Polder 55',
}
