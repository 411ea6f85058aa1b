import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { inDays, makePair } from './authority.ts'
import * as responses from './fault-responses.ts'
import { found, type FaultCase, type FaultTargets } from './fault-targets.ts'
import { profileSchema, type ProfileInput } from '../../profile/schema.ts'

/** The cause of each code of the target, of the profile and of the examination itself. */

const WHOLE = { depth: 'whole' } as const
/** Long enough to connect on a busy machine. */
const SHORT_DEADLINE = { deadlines: { requestMs: 2_000 } }

const wholeWith = async (targets: FaultTargets, changes: Partial<ProfileInput>) =>
  found(await targets.bank(), changes, WHOLE)

type ApplicationInput = ProfileInput['applications'][number]

/** The applications of the reference profile, with changes to the first one. */
const applicationsWith = (changes: Partial<ApplicationInput>): Pick<ProfileInput, 'applications'> => ({
  applications: referenceProfile().applications.map((each, at) =>
    at === 0 ? { ...each, ...changes } : each,
  ),
})

const authorization = (changes: Readonly<Record<string, unknown>>): Partial<ProfileInput> =>
  ({ authorization: { ...referenceProfile().authorization, ...changes } }) as Partial<ProfileInput>

const AUTHORIZE = '/premium/sandbox/auth/oauth/v2/authorize'
const TOKEN = '/premium/sandbox/auth/oauth/v2/token'
const CONSENTS = '/premium/sandbox/v1/consents'

const IBAN = 'SK2998010000002600001129'

const withToken: Partial<ProfileInput> = {
  authorization: {
    kind: 'tokens',
    tokens: [{ application: 'Ledgerly Bookkeeping', customer: 'alena', accessToken: 'of-yesterday' }],
  },
}

const listAccountsAnswers = async (targets: FaultTargets, answer: unknown, status = 200) =>
  found(await targets.serve(responses.json(status, answer)), withToken, WHOLE)

const loggedIn = async (targets: FaultTargets, password: string) => {
  const { customers } = profileSchema.parse(referenceProfile())
  const logins = customers.slice(0, 1).map((customer) => ({ ...customer, password }))
  return found(await targets.bank(), { customers: logins }, { ...WHOLE, logins })
}

export const RESPONSE_FAULTS = {
  'TGT-HTTP-1': async (targets) => found(await targets.serve(responses.silence), SHORT_DEADLINE),
  'TGT-HTTP-2': async (targets) => found(await targets.serve(responses.closeBeforeAnswer)),
  'TGT-HTTP-3': async (targets) => found(await targets.serve(responses.notHttp)),
  'TGT-HTTP-4': async (targets) => found(await targets.serve(responses.json(500, {}))),
  'TGT-HTTP-5': async (targets) => found(await targets.serve(responses.closeDuringBody)),
  'TGT-SAME-1': async (targets) => found(await targets.serve(responses.json(500, {})), {}, WHOLE),
  'TGT-PATH-1': async (targets) => found(await targets.bank()),
  'TGT-PATH-2': async (targets) => found(await targets.serve(responses.html(404))),
  'TGT-PATH-3': async (targets) => found(await targets.serve(responses.html(200))),
  'TGT-PATH-4': async (targets) => found(await targets.serve(responses.redirectTo('/login?session=1'))),
  'TGT-PATH-5': (targets) => wholeWith(targets, { basePaths: { production: '/nowhere' } }),
  'TGT-CRED-1': (targets) => wholeWith(targets, {}),
  'TGT-CRED-2': async (targets) => found(await targets.serve(responses.json(403, {})), {}, WHOLE),
  'TGT-CRED-3': async (targets) =>
    found(await targets.bankExcept(CONSENTS, responses.json(403, {})), {}, WHOLE),
  'TGT-CRED-4': async (targets) => {
    const secret = 'a+b %c'
    const { clientId } = applicationsWith({}).applications[0] ?? { clientId: '' }
    const decoded = Buffer.from(`${clientId}:a%2Bb+%25c`).toString('base64')
    const bank = await targets.bankExcept(TOKEN, (socket, call) =>
      call.head.includes(decoded)
        ? responses.json(400, { error: 'invalid_grant' })(socket, call)
        : responses.json(401, { error: 'invalid_client' })(socket, call),
    )
    return found(bank, applicationsWith({ clientSecret: secret }), WHOLE)
  },
  'TGT-URI-1': (targets) => wholeWith(targets, {}),
  'TGT-URI-2': async (targets) => found(await targets.bankExcept(AUTHORIZE, responses.html(200)), {}, WHOLE),
  'TGT-URI-3': (targets) => wholeWith(targets, { scopes: { accounts: 'NO_SUCH_SCOPE' } }),
  'TGT-PAGE-1': (targets) => wholeWith(targets, {}),
  'TGT-PAGE-2': (targets) =>
    wholeWith(targets, authorization({ pages: [{ when: '#nothing', press: '#nothing' }] })),
  'TGT-PAGE-3': (targets) => wholeWith(targets, authorization({ code: 'form' })),
  'TGT-PAGE-4': async (targets) =>
    found(
      await targets.bankExcept(AUTHORIZE, responses.redirectTo('https://login.bank.example/')),
      {},
      WHOLE,
    ),
  'TGT-LOGIN-1': (targets) => loggedIn(targets, 'alena-password'),
  'TGT-LOGIN-2': (targets) => loggedIn(targets, 'not-the-password'),
  'TGT-TOKEN-1': (targets) => listAccountsAnswers(targets, { accounts: [{ accountId: 'a-1' }] }),
  'TGT-TOKEN-2': (targets) => listAccountsAnswers(targets, { errorCode: 'TOKEN_INVALID' }, 401),
  'TGT-BIND-1': (targets) =>
    listAccountsAnswers(targets, { accounts: [{ accountId: 'a-1', accountReference: { iban: IBAN } }] }),
  'TGT-BIND-2': (targets) =>
    listAccountsAnswers(targets, { accountList: [{ accountId: 'a-1', iban: IBAN }] }),
  'TGT-TEST-HOOK-1': (targets) =>
    wholeWith(targets, { testHooks: { readClock: { method: 'GET', url: '/_test-hooks/clock' } } }),
  'TGT-TEST-HOOK-2': (targets) =>
    wholeWith(targets, { testHooks: { readClock: { method: 'GET', url: '/nowhere' } } }),
  'TGT-TEST-HOOK-3': (targets) =>
    wholeWith(targets, {
      testHooks: { readWebhook: { method: 'GET', url: '/_test-hooks/webhooks/{clientId}' } },
    }),
  'TGT-TEST-HOOK-4': (targets) =>
    wholeWith(targets, {
      testHooks: { readWebhook: { method: 'GET', url: '/_test-hooks/clock?of={clientId}' } },
    }),
  'CFG-CONN-1': async (targets) => found(await targets.bank(), { connection: { ca: 'no-such-file.pem' } }),
  'CFG-CONN-2': async (targets) => {
    const { cert, key } = await makePair({ name: 'client.example', until: inDays(3) })
    const connection = {
      certificate: targets.file('client.pem', cert),
      key: targets.file('client-key.pem', key),
    }
    return found(await targets.bank(), { connection })
  },
  'CFG-CRED-1': (targets) => wholeWith(targets, applicationsWith({ clientSecret: 'not-the-secret' })),
  'CFG-URI-1': (targets) =>
    wholeWith(
      targets,
      applicationsWith({ redirectUris: [{ uri: 'https://client.example/never-registered' }] }),
    ),
  'CFG-LOGIN-1': (targets) => wholeWith(targets, {}),
  'CFG-DATA-1': (targets) => wholeWith(targets, {}),
  'CFG-BIND-1': (targets) => wholeWith(targets, {}),
  'CFG-TEST-HOOK-1': (targets) =>
    wholeWith(targets, {
      testHooks: { revokeToken: { url: 'https://testHooks.example/', body: { token: '{token}' } } },
    }),
  'OWN-LEFT-1': () => found('http://nowhere.invalid'),
  // The options of the command reject this value, so it is passed here.
  'OWN-STEP-1': async (targets) => found(await targets.bank(), {}, { ...WHOLE, webhookUrl: 'no address' }),
} as const satisfies Readonly<Record<string, FaultCase>>
