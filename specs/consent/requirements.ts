import { must, chapterRows, should, undisclosed } from '../../harness/check/requirement.ts'

const CREATE = 'Endpoints, Consent and authorization, POST /v1/consents'

const REFUSED = 'Refused: the answer carries no consentId; its status and body are not shown.'
const NOT_GRANTED = 'Not granted: it leads to no access token, whichever of the two endpoints refuses.'

export const CON = {
  answerCarriesAConsentId: must('CON-01', {
    answers: 'POST createConsent',
    claim: 'the answer to POST /v1/consents carries a consentId that is not empty',
    quote: 'The consentId.',
    place: CREATE,
    reading: 'The shape of the body is not shown: the profile says where in it the consentId stands.',
  }),
  consentIdIsAString: must('CON-02', {
    claim: 'a consentId is a string',
    quote: '| consentId | string | Created by the TPP with POST /v1/consents.',
    place: 'Resources and their fields, Consent, row consentId',
    reading: 'Judged on the raw JSON: a number in quotation marks is a string; a number without them is not.',
  }),
  consentIdFitsIntoAScope: must('CON-03', {
    claim: 'a consentId consists of characters that a scope may hold',
    quote: 'scope-token = 1*( %x21 / %x23-5B / %x5D-7E )',
    place: 'Access Token Scope',
    source: 'RFC 6749 §3.3',
    reading:
      'The consentId is a part of a scope value, so a blank, a quotation mark or a backslash in it would break the scope.',
  }),
  basicHeaderIsAccepted: must('CON-04', {
    claim: 'a TPP that sends its client_id and secret in the Basic header is given a consent',
    quote:
      'Authorization: Basic <base64(client_id:secret)> (prefix Basic, one space, base64 of the two values joined by a colon, no quotes)',
    place: CREATE,
    reading:
      'The two values are joined as they are, without the form encoding of RFC 6749 §2.3.1. Headers of another spelling (lower case prefix, quotes) are not judged: a bank may be lenient.',
  }),
  requestIdHeaderIsAccepted: must('CON-05', {
    claim: 'a consent request that carries an X-Request-ID is accepted',
    quote: 'Headers: X-Request-ID',
    place: CREATE,
    reading: 'The value is a fresh UUID each time. Whether a bank insists on the header is not judged.',
  }),
  noBodyIsNeeded: must('CON-06', {
    claim: 'a consent is created by a request without a body',
    quote: 'No body.',
    place: CREATE,
  }),
  consentsAreDistinct: must('CON-07', {
    claim: 'two consents created one after the other have different consentIds',
    quote: 'Created by the TPP with POST /v1/consents.',
    place: 'Resources and their fields, Consent, row consentId',
    reading: 'Each request creates a new consent: a TPP has one consent for each of its customers.',
  }),
  concurrentConsentsAreDistinct: must('CON-08', {
    claim: 'consents created at the same moment have different consentIds',
    quote: 'Created by the TPP with POST /v1/consents.',
    place: 'Resources and their fields, Consent, row consentId',
    reading: 'Each request creates a new consent, also when several are under way.',
    tags: ['concurrency'],
  }),
  olderConsentStaysUsable: must('CON-09', {
    claim: 'a consent can still be authorized after the TPP has created another',
    quote: "A Third Party Provider (TPP) uses it for its customers' data and must create a consent first.",
    place: 'What the service does, 2',
    reading: 'A TPP serves many customers: a consent for one customer does not replace that of another.',
  }),
  consentIsAppendedToTheScope: must('CON-10', {
    claim: 'a created consent is authorized with its consentId appended to the scope',
    quote: 'It is appended to the scope as PREMIUM_AIS:<consent_id>.',
    place: 'Resources and their fields, Consent, row consentId',
  }),
  unknownConsentIsNotGranted: must('CON-11', {
    claim: 'a scope with a consentId that was never created is not granted',
    quote: 'TPP only: create a consent; put its consentId into the scope after PREMIUM_AIS and a colon.',
    place: 'Authentication, 4.1',
    reading: NOT_GRANTED,
    tags: ['security'],
  }),
  anotherClientsConsentIsNotGranted: must('CON-12', {
    claim: 'a scope with a consent that another client created is not granted',
    quote: 'TPP only: create a consent; put its consentId into the scope after PREMIUM_AIS and a colon.',
    place: 'Authentication, 4.1',
    reading: `The consent is the one that the TPP itself has created. Left open where both clients have a consent of the same id. ${NOT_GRANTED}`,
    tags: ['security'],
  }),
  scopeWithoutConsentIsNotGrantedToATpp: must('CON-13', {
    claim: 'a TPP without a consent in its scope opens no account',
    quote: "A Third Party Provider (TPP) uses it for its customers' data and must create a consent first.",
    place: 'What the service does, 2',
    reading:
      'The scope is PREMIUM_AIS only, or PREMIUM_AIS and a colon. What the token opens is judged: a token that opens no account breaks no sentence.',
    tags: ['security'],
  }),
  scopeWithoutConsentIsRefused: should('CON-23', {
    claim: 'a TPP without a consent in its scope is given no token',
    quote: 'TPP only: create a consent; put its consentId into the scope after PREMIUM_AIS and a colon.',
    place: 'Authentication, 4.1',
    reading: `The sentence is for the TPP. A bank that gives a token which opens nothing protects the data (CON-13), hence no more than a SHOULD. ${NOT_GRANTED}`,
    tags: ['security'],
  }),
  existingConsentServesANewGrant: must('CON-14', {
    claim:
      'a consent that was granted once serves a new authorization code grant after its tokens have expired',
    quote: 'a new authorization code grant is run using the existing consent.',
    place: 'Authentication, 6',
    reading:
      'Judged after both tokens have expired and a refresh has failed, since the sentence speaks of no other time. Where a refresh still succeeds, no new grant is called for, and one that is refused leaves it open.',
    tags: ['time'],
  }),
  wrongSecretIsRefused: must('CON-15', {
    claim: 'a consent request with a wrong secret is refused',
    quote: 'The application authenticates at POST /v1/consents and at the token endpoint with HTTP Basic',
    place: 'Authentication, 2',
    reading: `A secret that is empty, cut short, longer by a character or of another case is a wrong secret too. ${REFUSED}`,
    tags: ['security', 'property'],
  }),
  unknownClientIsRefused: must('CON-16', {
    claim: 'a consent request of an unknown client is refused',
    quote: 'The application authenticates at POST /v1/consents and at the token endpoint with HTTP Basic',
    place: 'Authentication, 2',
    reading: REFUSED,
    tags: ['security'],
  }),
  missingCredentialsAreRefused: must('CON-17', {
    claim: 'a consent request without credentials is refused',
    quote: 'The application authenticates at POST /v1/consents and at the token endpoint with HTTP Basic',
    place: 'Authentication, 2',
    reading: REFUSED,
    tags: ['security'],
  }),
  anotherSchemeIsRefused: must('CON-18', {
    claim: 'a consent request whose credentials follow the prefix Bearer is refused',
    quote: '(prefix Basic, one space, base64 of the two values joined by a colon, no quotes)',
    place: CREATE,
    reading: `The value after the prefix is the right one; a request under another scheme has not authenticated with HTTP Basic. ${REFUSED}`,
    tags: ['security'],
  }),
  valueWithoutColonIsRefused: must('CON-19', {
    claim: 'a consent request whose Basic value holds no colon is refused',
    quote: 'the value is Basic, a space, then base64 of client_id, a colon and the secret.',
    place: 'Authentication, 2',
    reading: `Without a colon the value contains no secret that could be checked. ${REFUSED}`,
    tags: ['security'],
  }),
  finalApiConsumerGetsNoConsent: must('CON-20', {
    claim: 'a FAC that asks for a consent is refused',
    quote: 'TPP only.',
    place: CREATE,
    reading: `The words say who may send the request. ${REFUSED}`,
    tags: ['fac'],
  }),
  refusalHasNoSuccessStatus: must('CON-21', {
    claim: 'a refused consent request is not answered with a success status',
    quote: 'The HTTP status code gives the result of the call.',
    place: 'Errors, 1',
    reading: 'Success is 200 to 299. Which status a refusal has is not shown.',
  }),
  refusalRepeatsNoSecret: should('CON-22', {
    claim: 'the answer to a refused consent request does not repeat the secret that was sent',
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
    reading:
      'What the body says is not shown, and no sentence forbids it to repeat the secret. Errors are logged and shown; best practice (RFC 6819, RFC 9700) keeps credentials secret, hence a SHOULD. Every encoding counts.',
    tags: ['refusal-form', 'security'],
  }),

  schemeIsMatchedInAnyCase: should('CON-24', {
    claim: 'a consent request whose Authorization header writes the scheme Basic in lower case is accepted',
    quote: 'Note that both scheme and parameter names are matched case-insensitively.',
    place: "The 'Basic' Authentication Scheme",
    source: 'RFC 7617 §2',
    reading: 'The interface writes the prefix as Basic and does not name RFC 7617, hence a SHOULD.',
  }),

  otherFieldsOfTheConsent: undisclosed('CON-U1', {
    subject: 'the fields of the consent record other than consentId',
    quote: 'Other fields of the consent record: not shown.',
    place: 'Resources and their fields, Consent',
  }),
  shapeOfTheConsentAnswer: undisclosed('CON-U2', {
    subject: 'the shape of the body that carries the consentId',
    quote: 'The response body shape: not shown.',
    place: CREATE,
  }),
} as const

export default chapterRows('consent', CON)
