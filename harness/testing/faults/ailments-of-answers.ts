import type { ProfileInput } from '../../profile/schema.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'
import { inDays, makePair } from './authority.ts'
import * as treat from './treatments.ts'
import { type Ailment, found, type Ward } from './ward.ts'

/** What brings the codes of the target, of the profile and of the examination itself about. */

const WHOLE = { depth: 'whole' } as const
/** A busy machine connects within it. */
const SHORT_DEADLINE = { deadlines: { requestMs: 2_000 } }

const wholeWith = async (ward: Ward, changes: Partial<ProfileInput>) =>
  found(await ward.bank(), changes, WHOLE)

type ApplicationInput = ProfileInput['applications'][number]

/** The first application, changed like that. */
const application = (changes: Partial<ApplicationInput>): Pick<ProfileInput, 'applications'> => ({
  applications: referenceProfile().applications.map((each, at) =>
    at === 0 ? { ...each, ...changes } : each,
  ),
})

const authorization = (changes: Readonly<Record<string, unknown>>): Partial<ProfileInput> =>
  ({ authorization: { ...referenceProfile().authorization, ...changes } }) as Partial<ProfileInput>

const AUTHORIZE = '/premium/sandbox/auth/oauth/v2/authorize'
const CONSENTS = '/premium/sandbox/v1/consents'

const IBAN = 'SK2998010000002600001129'

const withToken: Partial<ProfileInput> = {
  authorization: {
    kind: 'tokens',
    tokens: [{ application: 'Ledgerly Bookkeeping', customer: 'alena', accessToken: 'of-yesterday' }],
  },
}

const listing = async (ward: Ward, answer: unknown, status = 200) =>
  found(await ward.serve(treat.json(status, answer)), withToken, WHOLE)

export const AILMENTS_OF_ANSWERS = {
  'TGT-HTTP-1': async (ward) => found(await ward.serve(treat.silence), SHORT_DEADLINE),
  'TGT-HTTP-2': async (ward) => found(await ward.serve(treat.closeBefore)),
  'TGT-HTTP-3': async (ward) => found(await ward.serve(treat.garbage)),
  'TGT-HTTP-4': async (ward) => found(await ward.serve(treat.json(500, {}))),
  'TGT-HTTP-5': async (ward) => found(await ward.serve(treat.resetAmid)),
  'TGT-PATH-1': async (ward) => found(await ward.bank()),
  'TGT-PATH-2': async (ward) => found(await ward.serve(treat.html(404))),
  'TGT-PATH-3': async (ward) => found(await ward.serve(treat.html(200))),
  'TGT-PATH-4': async (ward) => found(await ward.serve(treat.redirectTo('/login?session=1'))),
  'TGT-PATH-5': (ward) => wholeWith(ward, { basePaths: { production: '/nowhere' } }),
  'TGT-CRED-1': (ward) => wholeWith(ward, {}),
  'TGT-CRED-2': async (ward) => found(await ward.serve(treat.json(403, {})), {}, WHOLE),
  'TGT-CRED-3': async (ward) => found(await ward.bankBut(CONSENTS, treat.json(403, {})), {}, WHOLE),
  'TGT-URI-1': (ward) => wholeWith(ward, {}),
  'TGT-URI-2': async (ward) => found(await ward.bankBut(AUTHORIZE, treat.html(200)), {}, WHOLE),
  'TGT-URI-3': (ward) => wholeWith(ward, { scopes: { accounts: 'NO_SUCH_SCOPE' } }),
  'TGT-PAGE-1': (ward) => wholeWith(ward, {}),
  'TGT-PAGE-2': (ward) =>
    wholeWith(ward, authorization({ pages: [{ when: '#nothing', press: '#nothing' }] })),
  'TGT-PAGE-3': (ward) => wholeWith(ward, authorization({ code: 'form' })),
  'TGT-PAGE-4': async (ward) =>
    found(await ward.bankBut(AUTHORIZE, treat.redirectTo('https://login.bank.example/')), {}, WHOLE),
  'TGT-TOKEN-1': (ward) => listing(ward, { accounts: [{ accountId: 'a-1' }] }),
  'TGT-TOKEN-2': (ward) => listing(ward, { errorCode: 'TOKEN_INVALID' }, 401),
  'TGT-BIND-1': (ward) =>
    listing(ward, { accounts: [{ accountId: 'a-1', accountReference: { iban: IBAN } }] }),
  'TGT-BIND-2': (ward) => listing(ward, { accountList: [{ accountId: 'a-1', iban: IBAN }] }),
  'TGT-TEST-HOOK-1': (ward) =>
    wholeWith(ward, { testHooks: { readClock: { method: 'GET', url: '/_test-hooks/clock' } } }),
  'TGT-TEST-HOOK-2': (ward) =>
    wholeWith(ward, { testHooks: { readClock: { method: 'GET', url: '/nowhere' } } }),
  'TGT-TEST-HOOK-3': (ward) =>
    wholeWith(ward, {
      testHooks: { readWebhook: { method: 'GET', url: '/_test-hooks/webhooks/{clientId}' } },
    }),
  'TGT-TEST-HOOK-4': (ward) =>
    wholeWith(ward, {
      testHooks: { readWebhook: { method: 'GET', url: '/_test-hooks/clock?of={clientId}' } },
    }),
  'CFG-CONN-1': async (ward) => found(await ward.bank(), { connection: { ca: 'no-such-file.pem' } }),
  'CFG-CONN-2': async (ward) => {
    const { cert, key } = await makePair({ name: 'client.example', until: inDays(3) })
    const connection = { certificate: ward.file('client.pem', cert), key: ward.file('client-key.pem', key) }
    return found(await ward.bank(), { connection })
  },
  'CFG-CRED-1': (ward) => wholeWith(ward, application({ clientSecret: 'not-the-secret' })),
  'CFG-URI-1': (ward) =>
    wholeWith(ward, application({ redirectUris: [{ uri: 'https://client.example/never-registered' }] })),
  'CFG-BIND-1': (ward) => wholeWith(ward, {}),
  'CFG-TEST-HOOK-1': (ward) =>
    wholeWith(ward, {
      testHooks: { revokeToken: { url: 'https://testHooks.example/', body: { token: '{token}' } } },
    }),
  'OWN-LEFT-1': () => found('http://nowhere.invalid'),
  // No option can say so: an address that is none.
  'OWN-STEP-1': async (ward) => found(await ward.bank(), {}, { ...WHOLE, webhookUrl: 'no address' }),
} as const satisfies Readonly<Record<string, Ailment>>
