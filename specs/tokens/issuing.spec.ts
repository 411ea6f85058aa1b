import {
  check,
  everyAnswer,
  inWholeRun,
  canHold128RandomBits,
  isAcceptedToo,
  isAccepted,
  isUnguessable,
  NotReached,
  note,
  patternIn,
  type Exchange,
  type ObservedExchange,
  type RecordOf,
} from '../../harness/check/index.ts'
import { change, scenario, type Application, type Change } from '../../harness/session/index.ts'
import { grantsIn, isRenewal } from '../shared/grants.ts'
import { TOLERANCES } from '../shared/tolerances.ts'
import { granting } from '../shared/scenario-options.ts'
import { TOK } from './requirements.ts'
import { APPENDIX_B, LONGEST } from './code-verifiers.ts'
import { answersWithTokens, checkNewness, hasItsPlace, NO_ANSWER } from './newness.ts'

/** What a bank may accept instead of a part of the request that it refuses: then that part is the cause. */
const substitutesOf = ({ profile }: Application) => ({
  scope: change.noForm('scope'),
  form: change.formAsJson,
  basic: ((request) =>
    change.form(
      'client_secret',
      profile.clientSecret,
    )(
      change.form('client_id', profile.clientId)(change.noHeader('Authorization')(request)),
    )) satisfies Change,
})

interface Documented {
  readonly documented: Exchange
  /** The refresh of what it gave, if it gave a refresh token. */
  readonly renewed?: Exchange
  /** Where it was refused: the same request with a substitute for this part. */
  readonly instead: { readonly scope?: Exchange; readonly form?: Exchange; readonly basic?: Exchange }
}

const documentedOf = async (app: Application): Promise<Documented> => {
  const documented = await app.exchangeFreshCode()
  const { accessToken, refreshToken } = app.tokensIn(documented)
  // At once: a later grant may end the tokens of this one.
  const renewed = refreshToken === undefined ? {} : { renewed: await app.refresh({ refreshToken }) }
  // What is accepted the second time was not refused for a part of it.
  if (accessToken !== undefined || isAccepted(await app.exchangeFreshCode()))
    return { documented, ...renewed, instead: {} }
  const { scope, form, basic } = substitutesOf(app)
  const instead = {
    scope: await app.exchangeFreshCode(scope),
    form: await app.exchangeFreshCode(form),
    basic: await app.exchangeFreshCode(basic),
  }
  return { documented, ...renewed, instead }
}

interface Answers<One> {
  readonly documented: One
  readonly instead: { readonly scope?: One; readonly form?: One; readonly basic?: One }
  readonly ofTheAppendix: { readonly changed: One }
  readonly longest: { readonly changed: One }
  readonly reversed: { readonly changed: One }
  readonly extended: { readonly changed: One }
}

/** The code exchanges, in the order of the grants. */
const inOrder = <One extends object>({ documented, instead, ...others }: Answers<One>): readonly One[] => {
  const alike = [others.ofTheAppendix, others.longest, others.reversed, others.extended]
  const first = [documented, instead.scope, instead.form, instead.basic]
  return [...first, ...alike.map(({ changed }) => changed)].filter((one) => one !== undefined)
}

/** The patterns of the tokens. */
const patternsIn = (app: Application, answers: Answers<Exchange>) => {
  const issued = inOrder(answers)
    .filter((answer) => answer.response !== undefined && isAccepted(answer))
    .map((answer) => ({ at: answer.sentAt, ...app.tokensIn(answer) }))
  return {
    access: patternIn(issued.map(({ at, accessToken: secret }) => ({ secret, at }))),
    refresh: patternIn(issued.map(({ at, refreshToken: secret }) => ({ secret, at }))),
  }
}

const exchanges = scenario('code exchanges one after the other', granting(5), async (session) => {
  const { app, profile, random } = session
  const like = (changed: () => Promise<Exchange>) => session.alike(() => app.exchangeFreshCode(), changed)
  /** With a new end each time: a bank may refuse a verifier that it has seen before (RFC 7636 §4.1). */
  const withVerifier = (model: string) =>
    like(async () => {
      const verifier = model.slice(0, -8) + random.uuid().slice(0, 8)
      return app.exchangeCode(await app.grant({ verifier }))
    })
  const answers = {
    ...(await documentedOf(app)),
    ofTheAppendix: await withVerifier(APPENDIX_B),
    longest: await withVerifier(LONGEST),
    reversed: await like(() => app.exchangeFreshCode(change.formReversed)),
    extended: await like(() => app.exchangeFreshCode(change.form('x_undefined', '1'))),
  }
  return {
    refreshToken: profile.operations.token.refreshToken,
    accounts: profile.scopes.accounts,
    ...answers,
    patterns: patternsIn(app, answers),
  }
})

type Seen = RecordOf<typeof exchanges>

const insteadOf = ({ instead }: Seen): readonly ObservedExchange[] =>
  [instead.scope, instead.form, instead.basic].flatMap((exchange) => exchange ?? [])

/** Every code exchange whose answer has an access token. */
const acceptedOf = (record: Seen): readonly ObservedExchange[] => {
  return inOrder<ObservedExchange>(record).filter((exchange) => exchange.accepted)
}

/** Those whose access token is in its documented place: the fields of another form are not judged. */
const answersOf = (record: Seen): readonly ObservedExchange[] => acceptedOf(record).filter(hasItsPlace)

/** Every answer of the run with a token for accounts. */
const tokenAnswers = answersWithTokens(exchanges)

const answers = exchanges.each(
  (record) => answersOf(record).map(({ body }) => ({ body, refreshToken: record.refreshToken })),
  NO_ANSWER,
)

type Field = ReturnType<ObservedExchange['body']['field']>

const isNotEmpty = (field: Field): void => {
  field.isPresent()
  field.differsFrom('', 'an empty string')
}

const isStringIfGiven = (kind: Field): void => {
  if (kind.value !== 'nothing' && kind.value !== 'null') kind.equals('string')
}

check(TOK.codeIsExchangedForAnAccessToken, exchanges, (record) => {
  const exchange = insteadOf(record).find(({ accepted }) => accepted) ?? record.documented
  exchange.isAccepted('its code was given a moment before')
})

const isCodeExchange = ({ request }: Pick<ObservedExchange, 'request'>): boolean =>
  new URLSearchParams(request.body?.text).get('grant_type') === 'authorization_code'

/** Each answer of the run that looks like that of an accepted code exchange. */
const successes = everyAnswer(exchanges, ['token']).where(
  ({ status, body, request }) =>
    isCodeExchange({ request }) &&
    Number(status.value) < 300 &&
    body.kind().value === 'object' &&
    body.field('access_token').value !== undefined &&
    body.field('error').value === undefined,
  NO_ANSWER,
)

check(TOK.codeIsExchangedForAnAccessToken, successes, ({ body }) => isNotEmpty(body.field('access_token')))

/** Judges a part of the documented request. A bank that refuses it may accept another part instead. */
const isTaken = ({ documented, instead }: Seen, part: keyof Seen['instead'], because: string): void => {
  const isCause = instead[part]?.accepted === true
  if (!documented.accepted && !isCause) throw new NotReached('the code exchange fails for another reason')
  documented.isAccepted(because)
}

check(TOK.formEncodingIsAccepted, exchanges, (record) => {
  isTaken(record, 'form', 'its parameters stand in a form')
  isAcceptedToo(record.reversed, 'the parameters of a form have no order')
})

check(TOK.scopeIsAcceptedInTheExchange, exchanges, (record) =>
  isTaken(record, 'scope', 'its scope is that of the authorization'),
)

check(TOK.basicAuthenticationIsAccepted, exchanges, (record) => {
  isTaken(record, 'basic', 'its Basic header has client_id and secret')
  record.documented.takesPlainCredentials()
})

check(TOK.unrecognizedParameterIsIgnored, exchanges, ({ extended }) =>
  isAcceptedToo(extended, 'an undefined parameter is ignored'),
)

check(TOK.everyLegalVerifierIsAccepted, exchanges, ({ ofTheAppendix, longest }) => {
  isAcceptedToo(ofTheAppendix, 'its code_verifier is that of RFC 7636, Appendix B')
  isAcceptedToo(longest, 'its code_verifier has 128 characters, every allowed one among them')
})

check(TOK.accessTokenIsAString, answers, ({ body }) => body.kind('access_token').equals('string'))
check(TOK.codeExchangeGivesARefreshToken, answers, ({ body, refreshToken }) =>
  isNotEmpty(body.field(refreshToken)),
)
check(TOK.refreshTokenIsAString, answers, ({ body, refreshToken }) =>
  isStringIfGiven(body.kind(refreshToken)),
)
check(TOK.tokenTypeIsBearer, tokenAnswers, ({ body }) =>
  body.field('token_type').matches(/^bearer$/i, '"Bearer", in whatever case'),
)
check(TOK.expiresInIsGiven, tokenAnswers, ({ body }) => body.field('expires_in').isPresent())
check(TOK.expiresInIsAnInteger, tokenAnswers, ({ body }) => {
  const seconds = body.field('expires_in')
  if (seconds.value !== undefined && seconds.value !== null) seconds.isInteger()
})

const NINETY_DAYS_S = 90 * 24 * 60 * 60

const isNinetyDays = ({ body }: ObservedExchange): void => {
  const said = body.field('expires_in')
  const { value } = said
  // Whether it is given, and as an integer, is judged above.
  const seconds = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN
  const isNear = Math.abs(seconds - NINETY_DAYS_S) <= TOLERANCES.expiresIn / 1000
  said.satisfies(Number.isNaN(seconds) || isNear, `90 days, which are ${NINETY_DAYS_S} s`)
}

check(TOK.expiresInSaysNinetyDays, tokenAnswers.where(isCodeExchange, NO_ANSWER), isNinetyDays)

/** A bank may count the 90 days from the authorization: the refresh follows at once. */
check(
  TOK.expiresInSaysNinetyDays,
  exchanges.each(({ renewed }) => (renewed?.accepted === true ? [renewed] : []), 'no refresh was accepted'),
  isNinetyDays,
)

check(TOK.scopeIsAString, tokenAnswers, ({ body }) => isStringIfGiven(body.kind('scope')))
check(TOK.scopeIsGiven, tokenAnswers, ({ body }) => isNotEmpty(body.field('scope')))

const requestedScopeOf = ({ request }: ObservedExchange): string | undefined =>
  new URLSearchParams(request.body?.text).get('scope') ?? undefined

interface Stated {
  readonly granted: string
  readonly stated: Field
  readonly accounts: string
}

/** The code exchanges that state a scope, with the one that was asked for. */
const scopesOf = (record: Seen): readonly Stated[] =>
  answersOf(record).flatMap((answer) => {
    const granted = requestedScopeOf(answer)
    const stated = answer.body.field('scope')
    return granted === undefined || typeof stated.value !== 'string'
      ? []
      : [{ granted, stated, accounts: record.accounts }]
  })

/** The refreshes of the run that state a scope, with that of their code exchange: a refresh keeps it. */
const keptScopes = inWholeRun(exchanges, ['token']).each((run) => {
  const grantOf = grantsIn(run)
  return run.exchanges
    .filter((answer) => answer.accepted && isRenewal(answer))
    .flatMap((answer): readonly Stated[] => {
      const { exchange = answer.id, scope = '' } = grantOf(answer) ?? {}
      const stated = answer.body.field('scope')
      return exchange === answer.id || typeof stated.value !== 'string'
        ? []
        : [{ granted: scope, stated, accounts: run.profile.scopes.accounts }]
    })
}, 'no refresh has a scope that is a string')

const isTheGrantedOne = ({ granted, stated, accounts }: Stated): void => {
  const [words, allowed] = [String(stated.value).split(' '), [accounts, ...granted.split(' ')]]
  const namesGranted = words.some((word) => allowed.includes(word))
  const namesAnother = words.some((word) => word.startsWith(`${accounts}:`) && !allowed.includes(word))
  stated.satisfies(namesGranted && !namesAnother, `the granted scope, ${granted}, and no other consentId`)
}

check(
  TOK.scopeIsTheGrantedOne,
  exchanges.each(scopesOf, 'no token answer has a scope that is a string'),
  isTheGrantedOne,
)
check(TOK.scopeIsTheGrantedOne, keptScopes, isTheGrantedOne)

check(TOK.tokenAnswerIsAJsonObject, exchanges, (record) => {
  const { documented } = record
  const { value } = documented.body.text
  const isForm = typeof value === 'string' && /(^|&)access_token=/.test(value)
  documented.header('Content-Type').satisfies(!isForm, 'tokens in JSON, and not in a form')
  const accepted = acceptedOf(record)
  if (accepted.length === 0) throw new NotReached('no code exchange was answered with an access token')
  for (const { body } of accepted) {
    body.kind().equals('object')
    const kind = body.kind('access_token')
    kind.satisfies(kind.value !== 'nothing', 'a member of the object itself')
  }
})

check(TOK.tokenAnswerHasTheJsonMediaType, tokenAnswers, (answer) =>
  answer.header('Content-Type').matches(/^\s*application\/json\s*(;|$)/i, 'application/json'),
)
check(TOK.tokenAnswerHasStatus200, tokenAnswers, ({ status }) => status.equals(200))
check(TOK.tokenAnswerNamesEachFieldOnce, tokenAnswers, ({ body }) => body.repeated.isAbsent())
check(TOK.tokenAnswerIsNotStored, tokenAnswers, (answer) =>
  answer.header('Cache-Control').matches(/(^|,)\s*no-store\s*(,|$)/i, 'the directive no-store'),
)
check(TOK.tokenAnswerHasPragma, tokenAnswers, (answer) =>
  answer.header('Pragma').matches(/(^|,)\s*no-cache\s*(,|$)/i, 'the directive no-cache'),
)

/** The tokens under that name, one for each grant, in the order of the grants. */
const seriesOf = (record: Seen, name: string): readonly Field[] =>
  answersOf(record).flatMap(({ body }) => {
    const token = body.field(name)
    return body.kind(name).value === 'string' && token.value !== '' ? [token] : []
  })

const isExchange = (answer: ObservedExchange): boolean => !isRenewal(answer)

checkNewness(TOK.accessTokensAreDistinct, exchanges, 'access token', isExchange)
checkNewness(TOK.refreshTokensAreDistinct, exchanges, 'refresh token', isExchange)

check(TOK.tokensDoNotFollowFromEachOther, exchanges, (record) => {
  for (const [name, pattern] of [
    ['access_token', record.patterns.access],
    [record.refreshToken, record.patterns.refresh],
  ] as const) {
    const series = seriesOf(record, name)
    if (series.length < 3) throw new NotReached('fewer than three grants gave such a token')
    isUnguessable(series, pattern)
  }
})

check(TOK.tokensHaveRoomFor128Bits, exchanges, (record) => {
  for (const name of ['access_token', record.refreshToken]) {
    const tokens = seriesOf(record, name)
    if (tokens.length === 0) throw new NotReached('no such token is a string')
    for (const token of tokens) canHold128RandomBits(token, tokens)
  }
})

note(TOK.nameOfTheRefreshToken, exchanges, (record) => {
  const { body } = record.documented
  return `"${record.refreshToken}" is ${String(body.kind(record.refreshToken).value)} in ${body.shape}`
})
