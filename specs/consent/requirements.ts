import {
  at,
  chapterRows,
  must,
  ofStandard,
  should,
  statements,
  notShown,
} from '../../harness/check/requirement.ts'

const CREATE = 'Endpoints, Consent and authorization, POST /v1/consents'
const REFUSED = 'Refused: the answer carries no consentId; its status and body are not shown.'
const NOT_GRANTED = 'Not granted: it leads to no access token, whichever of the two endpoints refuses.'

export const CON = statements({
  "A Third Party Provider (TPP) uses it for its customers' data and must create a consent first.": at(
    'What the service does, 2',
    {
      olderConsentStaysUsable: must('CON-09', {
        claim: 'a consent can still be authorized after the TPP has created another',
        reading: 'A TPP serves many customers: a consent for one customer does not replace that of another.',
      }),
      scopeWithoutConsentIsNotGrantedToATpp: must('CON-13', {
        claim: 'a TPP without a consent in its scope opens no account',
        reading:
          'The scope is PREMIUM_AIS only, or PREMIUM_AIS and a colon. What the token opens is judged: a token that opens no account breaks no sentence.',
        tags: ['security'],
      }),
    },
  ),
  '| consentId | string | Created by the TPP with POST /v1/consents.': at(
    'Resources and their fields, Consent, row consentId',
    {
      consentIdIsAString: must('CON-02', {
        claim: 'a consentId is a string',
        reading:
          'Judged on the raw JSON: a number in quotation marks is a string; a number without them is not.',
      }),
    },
  ),
  'Created by the TPP with POST /v1/consents.': at('Resources and their fields, Consent, row consentId', {
    consentsAreDistinct: must('CON-07', {
      claim: 'two consents created one after the other have different consentIds',
      reading: 'Each request creates a new consent: a TPP has one consent for each of its customers.',
    }),
    concurrentConsentsAreDistinct: must('CON-08', {
      claim: 'consents created at the same moment have different consentIds',
      reading: 'Each request creates a new consent, also when several are under way.',
      tags: ['concurrency'],
    }),
  }),
  'It is appended to the scope as PREMIUM_AIS:<consent_id>.': at(
    'Resources and their fields, Consent, row consentId',
    {
      consentIsAppendedToTheScope: must('CON-10', {
        claim: 'a created consent is authorized with its consentId appended to the scope',
      }),
    },
  ),
  'Other fields of the consent record: not shown.': at('Resources and their fields, Consent', {
    otherFieldsOfTheConsent: notShown('CON-U1', {
      subject: 'the fields of the consent record other than consentId',
    }),
  }),
  'TPP only.': at(CREATE, {
    finalApiConsumerGetsNoConsent: must('CON-20', {
      claim: 'a FAC that asks for a consent is refused',
      reading: `The words say who may send the request. ${REFUSED}`,
      tags: ['fac'],
    }),
  }),
  'Headers: X-Request-ID': at(CREATE, {
    requestIdHeaderIsAccepted: must('CON-05', {
      claim: 'a consent request that carries an X-Request-ID is accepted',
      reading: 'The value is a fresh UUID each time. Whether a bank insists on the header is not judged.',
    }),
  }),
  'Authorization: Basic <base64(client_id:secret)> (prefix Basic, one space, base64 of the two values joined by a colon, no quotes)':
    at(CREATE, {
      basicHeaderIsAccepted: must('CON-04', {
        claim: 'a TPP that sends its client_id and secret in the Basic header is given a consent',
        reading:
          'The two values are joined as they are, without the form encoding of RFC 6749 §2.3.1. Headers of another spelling (lower case prefix, quotes) are not judged: a bank may be lenient.',
      }),
    }),
  '(prefix Basic, one space, base64 of the two values joined by a colon, no quotes)': at(CREATE, {
    anotherSchemeIsRefused: must('CON-18', {
      claim: 'a consent request whose credentials follow the prefix Bearer is refused',
      reading: `The value after the prefix is the right one; a request under another scheme has not authenticated with HTTP Basic. ${REFUSED}`,
      tags: ['security'],
    }),
  }),
  'No body.': at(CREATE, {
    noBodyIsNeeded: must('CON-06', { claim: 'a consent is created by a request without a body' }),
  }),
  'The consentId.': at(CREATE, {
    answerCarriesAConsentId: must('CON-01', {
      claim: 'the answer to POST /v1/consents carries a consentId that is not empty',
      answers: 'POST createConsent',
      reading: 'The shape of the body is not shown: the profile says where in it the consentId stands.',
    }),
  }),
  'The response body shape: not shown.': at(CREATE, {
    shapeOfTheConsentAnswer: notShown('CON-U2', {
      subject: 'the shape of the body that carries the consentId',
    }),
  }),
  'The application authenticates at POST /v1/consents and at the token endpoint with HTTP Basic': at(
    'Authentication, 2',
    {
      wrongSecretIsRefused: must('CON-15', {
        claim: 'a consent request with a wrong secret is refused',
        reading: `A secret that is empty, cut short, longer by a character or of another case is a wrong secret too. ${REFUSED}`,
        tags: ['security', 'property'],
      }),
      unknownClientIsRefused: must('CON-16', {
        claim: 'a consent request of an unknown client is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
      missingCredentialsAreRefused: must('CON-17', {
        claim: 'a consent request without credentials is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
    },
  ),
  'the value is Basic, a space, then base64 of client_id, a colon and the secret.': at('Authentication, 2', {
    valueWithoutColonIsRefused: must('CON-19', {
      claim: 'a consent request whose Basic value holds no colon is refused',
      reading: `Without a colon the value contains no secret that could be checked. ${REFUSED}`,
      tags: ['security'],
    }),
  }),
  'TPP only: create a consent; put its consentId into the scope after PREMIUM_AIS and a colon.': at(
    'Authentication, 4.1',
    {
      unknownConsentIsNotGranted: must('CON-11', {
        claim: 'a scope with a consentId that was never created is not granted',
        reading: NOT_GRANTED,
        tags: ['security'],
      }),
      anotherClientsConsentIsNotGranted: must('CON-12', {
        claim: 'a scope with a consent that another client created is not granted',
        reading: `The consent is the one that the TPP itself has created. Left open where both clients have a consent of the same id. ${NOT_GRANTED}`,
        tags: ['security'],
      }),
      scopeWithoutConsentIsRefused: should('CON-23', {
        claim: 'a TPP without a consent in its scope is given no token',
        reading: `The sentence is for the TPP. A bank that gives a token which opens nothing protects the data (CON-13), hence no more than a SHOULD. ${NOT_GRANTED}`,
        tags: ['security'],
      }),
    },
  ),
  'a new authorization code grant is run using the existing consent.': at('Authentication, 6', {
    existingConsentServesANewGrant: must('CON-14', {
      claim:
        'a consent that was granted once serves a new authorization code grant after its tokens have expired',
      reading:
        'Judged after both tokens have expired and a refresh has failed, since the sentence speaks of no other time. Where a refresh still succeeds, no new grant is called for, and one that is refused leaves it open.',
      tags: ['time'],
    }),
  }),
  'The HTTP status code gives the result of the call.': at('Errors, 1', {
    refusalHasNoSuccessStatus: must('CON-21', {
      claim: 'a refused consent request is not answered with a success status',
      reading: 'Success is 200 to 299. Which status a refusal has is not shown.',
    }),
  }),
  'The error body of the OAuth and account operations: not shown.': at('Errors, 7', {
    refusalRepeatsNoSecret: should('CON-22', {
      claim: 'the answer to a refused consent request does not repeat the secret that was sent',
      reading:
        'What the body says is not shown, and no sentence forbids it to repeat the secret. Errors are logged and shown; best practice (RFC 6819, RFC 9700) keeps credentials secret, hence a SHOULD. Every encoding counts.',
      tags: ['refusal-form', 'security'],
    }),
  }),
  'scope-token = 1*( %x21 / %x23-5B / %x5D-7E )': ofStandard('RFC 6749 §3.3', 'Access Token Scope', {
    consentIdFitsIntoAScope: must('CON-03', {
      claim: 'a consentId consists of characters that a scope may hold',
      reading:
        'The consentId is a part of a scope value, so a blank, a quotation mark or a backslash in it would break the scope.',
    }),
  }),
  'Note that both scheme and parameter names are matched case-insensitively.': ofStandard(
    'RFC 7617 §2',
    "The 'Basic' Authentication Scheme",
    {
      schemeIsMatchedInAnyCase: should('CON-24', {
        claim:
          'a consent request whose Authorization header writes the scheme Basic in lower case is accepted',
        reading: 'The interface writes the prefix as Basic and does not name RFC 7617, hence a SHOULD.',
      }),
    },
  ),
})

export default chapterRows('consent', CON)
