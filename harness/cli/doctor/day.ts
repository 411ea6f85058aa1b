import { HeldBack, Inconclusive, NotReached } from '../../evidence/signals.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { renderMismatch } from '../../profile/mismatch/mismatch.ts'
import { mismatchesExplaining } from '../../profile/mismatch/explain.ts'
import { printable } from '../../report/run-observer.ts'
import { paragraph, type Colors } from '../../report/terminal/text.ts'
import { isAuthorizing } from '../../profile/schema/authorization.ts'
import { testHooksIn } from '../../profile/test-hooks.ts'
import { textOfPage } from '../../session/authorization/html-page.ts'
import { openAuthorizationDriver } from '../../session/authorization/open-driver.ts'
import { untilOpen } from '../../session/payments/payment-days.ts'
import { openTargetHttp, openTargetSession } from '../../connection/target-http.ts'
import { createTestHookClock } from '../../connection/test-hooks.ts'
import { createWallClock } from '../../connection/wall-clock.ts'
import { messageOf } from '../../evidence/errors.ts'
import type { TargetClock } from '../../session/clock.ts'
import type { Http } from '../../session/http/http.ts'
import type { Session } from '../../session/session.ts'
import type { TokenSet } from '../../session/authorization/token-endpoint.ts'
import { isSuccess, type Exchange } from '../../evidence/exchange.ts'
import type { Variant } from '../../profile/oauth.ts'
import type { CustomerProfile, Profile } from '../../profile/schema.ts'
import type { ExaminedTarget } from '../../connection/first-contact/examination.ts'

/**
 * Tries each binding of a profile once, in the order of a customer's day: from the consent to a payment and a loan. It
 * judges nothing; it says whether the answers have what the profile names.
 */

export interface DayStep {
  readonly step: string
  readonly keys: string
  readonly result: 'fits' | 'does not fit' | 'left out'
  /** What was found, or what does not fit and why. */
  readonly seen: string
}

interface Tried {
  readonly step: string
  readonly keys: string
  /** @returns what was found. @throws NotReached if an answer lacks what the next step needs. */
  readonly act: () => Promise<string>
}

interface DayOptions {
  readonly signal: AbortSignal
  /** Only this customer's way to the accounts is tried; by default the whole day of the first customer. */
  readonly customer?: CustomerProfile
  readonly onStep?: (step: DayStep) => void
}

const tried = (step: string, keys: string, act: Tried['act']): Tried => ({ step, keys, act })

/** What a customer's day does: in production no payment, whatever the profile allows there. */
const allowedOn = ({ allow }: Profile): Profile['allow'] => ({
  sandbox: allow.sandbox,
  production: allow.production.filter((effect) => effect === 'read' || effect === 'consent'),
})

/** @throws NotReached with the status and the beginning of the answer, unless it is a success. */
const accepted = (exchange: Exchange): Exchange => {
  const { response, fault, id } = exchange
  if (isSuccess(exchange)) return exchange
  throw new NotReached(
    response === undefined
      ? `${id}: ${fault?.message ?? 'no answer'}`
      : `${id}: ${response.status} ${textOfPage(exchange)}`.trim(),
  )
}

/** A value that an earlier step has found. @throws NotReached if that step did not fit. */
const needed = <Value>(value: Value | undefined, step: string): Value => {
  if (value === undefined) throw new HeldBack(`needs the step "${step}"`)
  return value
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const accountSteps = (session: Session, variant: Variant, tokensOf: () => TokenSet): readonly Tried[] => {
  const part = variant === 'first' ? 'operations' : 'secondVariant'
  const name = variant === 'first' ? '' : ', second variant'
  const accounts = session.app.accounts(variant)
  let accountId: string | undefined
  return [
    tried(`list of accounts${name}`, `${part}.listAccounts`, async () => {
      const listed = accounts.accountsIn(accepted(await accounts.list(tokensOf().accessToken)))
      accountId = listed[0]?.accountId
      return `${counted(listed.length, 'account')}, ${listed.filter(({ iban }) => iban !== undefined).length} with an IBAN`
    }),
    tried(`detail and balances${name}`, `${part}.readAccount`, async () => {
      const account = { accountId: needed(accountId, 'list of accounts') }
      const detail = accepted(await accounts.read(tokensOf().accessToken, account))
      return counted(accounts.balancesIn(detail).length, 'balance')
    }),
    tried(`transactions${name}`, `${part}.listTransactions`, async () => {
      const account = { accountId: needed(accountId, 'list of accounts') }
      const { pages, end } = await accounts.walk(tokensOf().accessToken, account, 10)
      for (const { exchange } of pages) accepted(exchange)
      if (end === 'empty-pages')
        throw new NotReached(
          `${part}.listTransactions.paging.end: the last pages are empty, and each names another one; where an empty page ends them, say empty-page`,
        )
      if (end !== 'last') throw new NotReached(`the pages ended with ${end}`)
      const ids = pages.flatMap((page) => page.ids)
      return `${counted(ids.length, 'transaction')} on ${counted(pages.length, 'page')}`
    }),
  ]
}

const authorizationSteps = (
  { app }: Session,
  customer: CustomerProfile | undefined,
  keep: (tokens: TokenSet) => void,
): readonly Tried[] => {
  let consentId: string | undefined
  let granted: Awaited<ReturnType<typeof app.grant>> | undefined
  return [
    ...(app.kind === 'TPP'
      ? [
          tried('consent', 'operations.createConsent', async () => {
            consentId = await app.consent()
            return `a consentId for ${app.profile.name}`
          }),
        ]
      : []),
    tried('login and consent of the customer', 'authorization, operations.authorize', async () => {
      granted = await app.grant({
        ...(customer && { customer }),
        ...(consentId !== undefined && { consentId }),
      })
      return `a code at ${new URL(granted.redirectUri).host}`
    }),
    tried('code exchange', 'operations.token', async () => {
      const grant = needed(granted, 'login and consent of the customer')
      const tokens = app.tokensOf(accepted(await app.exchangeCode(grant)), grant)
      keep(tokens)
      return `an access token and a refresh token`
    }),
  ]
}

/** An order of today is refused outside of the payment hours, and only a clock that can be moved is moved into them. */
const verifyOpen = ({ clock, profile: { payments, timeZone } }: Session): void => {
  const hours = payments?.hours
  if (hours === undefined || clock.kind !== 'wall' || untilOpen(clock.now(), hours, timeZone) === 0) return
  throw new HeldBack(
    `payments are accepted from ${hours.from} to ${hours.to} (payments.hours, timeZone) of a working day, and it is later or earlier: no order of today was sent; run the command again within these hours`,
  )
}

const paymentSteps = (session: Session): readonly Tried[] => {
  let opened: Awaited<ReturnType<Session['payments']>> | undefined
  let orderId: string | undefined
  let authorization: Awaited<ReturnType<NonNullable<typeof opened>['authorize']>> | undefined
  const payments = () => needed(opened, 'initiation of a payment')
  const order = () => needed(orderId, 'initiation of a payment')
  return [
    tried('initiation of a payment', 'payments.initiations, payments.authentication', async () => {
      verifyOpen(session)
      opened = await session.payments()
      orderId = (await opened.initiateValid()).orderId
      return `an orderId, ${opened.profile.amount} ${opened.profile.currency}`
    }),
    tried('status of the payment', 'payments.status', async () => {
      accepted(await payments().status(order()))
      return 'a status record'
    }),
    tried('authorization of the payment', 'payments.authorize or payments.approval', async () => {
      authorization = await payments().authorize(order())
      if (!authorization.isComplete)
        throw new NotReached(
          `${authorization.redirectResult.exchange.id}: ${textOfPage(authorization.redirectResult.exchange)}`,
        )
      return authorization.token === undefined ? 'the customer has agreed' : 'a token for the submission'
    }),
    tried('submission', 'payments.submission', async () => {
      accepted(await payments().submit(needed(authorization, 'authorization of the payment')))
      return 'accepted'
    }),
  ]
}

const loanSteps = (session: Session): readonly Tried[] => {
  let started: { readonly id: string } | undefined
  return [
    tried('precalculation of a loan', 'loans.token, loans.precalculation', async () => {
      accepted(await (await session.loans()).precalculate({ amount: 250 }))
      return 'a result for 250 EUR'
    }),
    tried('loan application and its scenario', 'loans.submission, loans.scenario', async () => {
      started = await (await session.loans()).start('client')
      return 'an application-id'
    }),
    tried('status of the loan application', 'loans.status', async () => {
      const { id } = needed(started, 'loan application and its scenario')
      accepted(await (await session.loans()).status(id))
      return 'a status'
    }),
    tried('cancellation', 'loans.cancellation', async () => {
      const { id } = needed(started, 'loan application and its scenario')
      accepted(await (await session.loans()).cancel(id))
      return 'accepted'
    }),
  ]
}

const grantSteps = (session: Session, customer = session.profile.customers[0]) => {
  let tokens: TokenSet | undefined
  const tokensOf = (): TokenSet => needed(tokens, 'code exchange')
  const keep = (found: TokenSet): void => void (tokens = found)
  return {
    steps: authorizationSteps(session, customer, keep),
    accounts: session.app.opens.flatMap((variant) => accountSteps(session, variant, tokensOf)),
    keep,
    tokensOf,
  }
}

/** What every check on accounts needs. */
const accessSteps = (session: Session, customer: CustomerProfile): readonly Tried[] => {
  const { steps, accounts } = grantSteps(session, customer)
  return [...steps, ...accounts.slice(0, 1)]
}

const daySteps = (session: Session): readonly Tried[] => {
  const { app, profile } = session
  const { steps, accounts, keep, tokensOf } = grantSteps(session)
  return [
    ...steps,
    tried('renewal', 'operations.token.refreshForm', async () => {
      const old = tokensOf()
      keep(app.tokensOf(accepted(await app.refresh(old)), old))
      return 'new tokens'
    }),
    ...accounts,
    ...(profile.payments === undefined ? [] : paymentSteps(session)),
    ...(profile.loans === undefined || profile.environment === 'production' ? [] : loanSteps(session)),
  ]
}

const STEP_WIDTH = 42
const KEYS_WIDTH = 48

/** One row of the table. @param width columns of the terminal. */
export const renderStep = ({ step, keys, result, seen }: DayStep, colors: Colors, width: number): string => {
  const mark = { fits: colors.green('✓'), 'does not fit': colors.red('✗'), 'left out': colors.dim('·') }[
    result
  ]
  const columns = `${step.padEnd(STEP_WIDTH)}${keys.padEnd(KEYS_WIDTH)}`
  const isWide = width >= STEP_WIDTH + KEYS_WIDTH + 30
  const [first = '', ...rest] = isWide
    ? paragraph(columns, printable(seen), width - 2)
    : [columns.trimEnd(), ...paragraph('  ', printable(seen), width - 2)]
  return [`${mark} ${first}`, ...rest.map((line) => `  ${line}`)].join('\n')
}

export const renderDay = (steps: readonly DayStep[]): string => {
  const count = (result: DayStep['result']): number => steps.filter((step) => step.result === result).length
  return `\n${count('fits')} of ${steps.length} steps fit, ${count('does not fit')} do not fit, ${count('left out')} left out`
}

/** A clock that can be moved is moved into the payment hours, as in a run. */
const clockOf = (profile: Profile, baseUrl: string, http: Http): Promise<TargetClock> =>
  testHooksIn(profile).advanceClock === undefined || profile.payments?.hours === undefined
    ? Promise.resolve(createWallClock())
    : createTestHookClock(http, baseUrl, profile)

/** The only row where no customer authorizes. */
const NO_LOGIN = tried('login and consent of the customer', 'authorization.kind', () =>
  Promise.reject(new HeldBack('tokens are imported: no customer authorizes')),
)

interface Trial {
  readonly profile: Profile
  readonly exchanges: readonly Exchange[]
  readonly signal: AbortSignal
}

/** @throws the reason of the signal when it is aborted. */
const tryOut = async (
  { step, keys, act }: Tried,
  { profile, exchanges, signal }: Trial,
): Promise<DayStep> => {
  const before = exchanges.length
  const mismatches = (): readonly string[] =>
    mismatchesExplaining(undefined, {
      profile,
      exchanges: exchanges.slice(before),
      all: () => exchanges,
    }).map(renderMismatch)
  try {
    const seen = await act()
    const [mismatch] = mismatches()
    return mismatch === undefined
      ? { step, keys, result: 'fits', seen }
      : { step, keys, result: 'does not fit', seen: mismatch }
  } catch (error) {
    signal.throwIfAborted()
    const message = messageOf(error)
    if (error instanceof HeldBack) return { step, keys, result: 'left out', seen: message }
    if (!(error instanceof NotReached) && !(error instanceof Inconclusive)) throw error
    return { step, keys, result: 'does not fit', seen: mismatches()[0] ?? message }
  }
}

/**
 * Tries the steps one after the other, with one login of a customer.
 * @throws the reason of the signal when it is aborted.
 */
export const walkDay = async (
  target: ExaminedTarget,
  { signal, customer, onStep = () => undefined }: DayOptions,
): Promise<readonly DayStep[]> => {
  const { profile, baseUrl, secrets } = target
  const exchanges: Exchange[] = []
  const { http, close } = openTargetHttp({
    ...target,
    scenario: 'doctor:day',
    allowed: allowedOn(profile),
    onExchange: (exchange) => exchanges.push(exchange),
    signal,
  })
  const redactor = createRedactor(secrets, profile)
  const driver = openAuthorizationDriver(profile, { mostRefusals: 1 })
  const clock = await clockOf(profile, baseUrl, http)
  const session = openTargetSession({ profile, baseUrl, http, driver, clock })
  const steps: DayStep[] = []
  const tries = customer === undefined ? daySteps(session) : accessSteps(session, customer)
  try {
    for (const one of isAuthorizing(profile.authorization) ? tries : [NO_LOGIN]) {
      const row = await tryOut(one, { profile, exchanges, signal })
      const step = { ...row, seen: redactor.sentence(row.seen) }
      steps.push(step)
      onStep(step)
    }
  } finally {
    await driver.close()
    await close()
  }
  return steps
}
