import { must, ownChapter, should } from 'bank-interface-conformance/check'

const RULEBOOK = 'ACME rulebook 3.1'

export const ACME = {
  accountListIsNotStored: must('ACME-01', {
    claim: 'the list of accounts forbids caches to store it',
    quote: 'Responses with account data carry Cache-Control: no-store.',
    place: 'Section 4.2',
    source: RULEBOOK,
  }),
  accountListIsJson: should('ACME-02', {
    claim: 'the list of accounts has the media type application/json',
    quote: 'The media type of account data should be application/json.',
    place: 'Section 4.3',
    source: RULEBOOK,
  }),
} as const

export default ownChapter({
  title: 'ACME scheme',
  about: 'What the ACME scheme requires of account data beyond the interface.',
  prefix: 'ACME',
  rows: ACME,
})
