/** The words of the compliance report, for a reader who does not know the suite. */
export const GLOSSARY: readonly (readonly [term: string, meaning: string])[] = [
  ['Accepted exception', 'A violation that was accepted for a time, with a reason, an owner and a last day.'],
  ['Chapter', 'A part of the interface, in the order in which a client application uses it.'],
  ['Check', 'A test that compares recorded answers of the bank with one requirement.'],
  [
    'Client application',
    'A program that uses the interface for its users. A FAC (Final Api Consumer) uses it for its own data; a TPP (Third Party Provider) for its customers’ data, with their consent.',
  ],
  [
    'Composed bank',
    'A reference bank with many permitted variations at once, chosen at random. No check may report a violation on it.',
  ],
  ['Conclusion', 'The result of the whole run: it conforms, it does not conform, or it is not decided.'],
  [
    'Defect',
    'A deliberate fault of the reference bank. The checks of the requirement that it breaks must detect it.',
  ],
  ['Digest (SHA-256)', 'A number computed from a file. If the file is changed, its digest is another one.'],
  ['Evidence', 'The record of all requests and responses of the run, in the file evidence.jsonl.'],
  ['Exchange', 'One recorded request with its response. Its id is the scenario and a number.'],
  ['MUST, SHOULD, MAY', 'How binding a requirement is: mandatory, recommended, or permitted.'],
  [
    'Permitted variation',
    'Behaviour that the interface leaves open to the bank. No check may report a violation on it.',
  ],
  [
    'Profile',
    'The file that describes the bank under test to the suite: addresses, applications, customers and names that the interface does not give.',
  ],
  ['Pseudonym', 'A stable replacement of a secret in the evidence, such as [access_token:1].'],
  ['Reference bank', 'The bank that is part of the suite, with which the checks are proved.'],
  [
    'Requirement',
    'A sentence that is true of every bank that conforms, with the words of the interface or of a standard from which it comes.',
  ],
  ['Scenario', 'A sequence of requests that is sent once. Several checks can judge its answers.'],
  ['Scope', 'The set of requirements that a run covers.'],
  ['Seed', 'The number from which all random values of a run are made. The same seed gives the same run.'],
  ['Verdict', 'The result of a requirement or of a check.'],
]
