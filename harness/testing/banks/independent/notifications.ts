/** PUT /refresh, and the notifications of the bank. */

import { nowOf, type Bank } from './bank.ts'
import type { Account, Movement } from './seed-data.ts'
import { accountsOf, randomId, isValid, type Grant, type Task, type Environment } from './environment.ts'
import { fault, json, objectOf, textOf, type Answer, type Call } from './wire.ts'

const HOUR = 3_600_000
const TASK_MS = 40

/** The setting that is invalid: the URL must have no parameters, and the header only these characters. */
export const settingsFault = (endpoint: string, header: string): string | undefined => {
  if (!URL.canParse(endpoint) || /[?;#]/.test(endpoint)) return 'endpoint'
  return /^[ a-zA-Z0-9=+/]*$/.test(header) ? undefined : 'secureHeader'
}

export const nextHour = (now: number): number => (Math.floor(now / HOUR) + 1) * HOUR

const notify = (bank: Bank, grant: Grant, name: string, content: Record<string, unknown>): void => {
  const settings = bank.settings.get(grant.application.id)
  if (settings?.enabled !== true || nowOf(bank) < settings.from) return
  if (grant.application.kind === 'FAC' && !bank.choices.ownersAreNotified) return
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (settings.secureHeader !== '') headers.authorization = settings.secureHeader
  const body = JSON.stringify(bank.choices.hookShape === 'keyed' ? { [name]: content } : { name, ...content })
  fetch(settings.endpoint, { method: bank.choices.hookMethod, headers, body }).catch(() => undefined)
}

/** The grants that have a valid access token. */
const active = (bank: Bank, environment: Environment): Grant[] =>
  environment.grants.filter((grant) =>
    [...environment.access.values()].some(
      (token) => token.grant === grant && isValid(environment, token, nowOf(bank)),
    ),
  )

/** The last grant of each consent, since a consent may have several grants. */
const oneOfEach = (grants: readonly Grant[]): Grant[] => [
  ...new Map(grants.map((grant) => [grant.consentId, grant])).values(),
]

/** A booking of this bank is visible at once, one of another bank after a refresh. */
export const book = (bank: Bank, environment: Environment, account: Account, movement: Movement): void => {
  if (account.bank !== undefined) {
    account.unfetched.push(movement)
    return
  }
  account.movements.push(movement)
  for (const grant of oneOfEach(
    active(bank, environment).filter(({ accountIds }) => accountIds.has(account.accountId)),
  )) {
    const accounts = [{ accountId: account.accountId }]
    notify(bank, grant, 'transactionEvent', { consentId: grant.consentId, eventType: 'NEW', accounts })
  }
}

const consentNamed = (bank: Bank, grant: Grant, call: Call): string | undefined => {
  const { refreshConsentIn } = bank.choices
  if (refreshConsentIn === 'token') return grant.consentId
  if (refreshConsentIn === 'header') return textOf(call.headers['consent-reference'])
  if (refreshConsentIn === 'body') return textOf(objectOf(call.text)?.consentId)
  return call.query.get('consentId') ?? undefined
}

export const refresh = (bank: Bank, environment: Environment, grant: Grant, call: Call): Answer => {
  const consentId = consentNamed(bank, grant, call)
  if (consentId === undefined) return fault(400, 'CONSENT', 'Which consent?')
  if (consentId !== grant.consentId)
    return fault(403, 'CONSENT', 'No such consent was granted to this token.')
  const task: Task = { taskId: randomId(6), grant, due: nowOf(bank) + TASK_MS }
  environment.tasks.push(task)
  // A task also ends without a move of the clock.
  setTimeout(() => settle(bank, environment), TASK_MS + 5).unref()
  return json(bank.choices.refreshStatus, {
    job: { began: new Date(nowOf(bank)).toISOString(), taskId: task.taskId },
  })
}

/** Finishes the tasks that are due, with one notification for each bank. */
export const settle = (bank: Bank, environment: Environment): void => {
  const due = environment.tasks.filter((task) => task.due <= nowOf(bank))
  environment.tasks = environment.tasks.filter((task) => !due.includes(task))
  for (const { grant, taskId } of due) {
    const banks = new Map<string, { name: string; accounts: Account[] }>()
    for (const account of accountsOf(grant)) {
      if (account.bank === undefined) continue
      account.movements.push(...account.unfetched.splice(0))
      const known = banks.get(account.bank.code) ?? { name: account.bank.name, accounts: [] }
      known.accounts.push(account)
      banks.set(account.bank.code, known)
    }
    for (const [bankCode, { name: bankName, accounts }] of banks) {
      notify(bank, grant, 'accountEvent', {
        accounts: accounts.map(({ accountId }) => ({ eventType: bank.choices.taskEvents, accountId })),
        bankName,
        bankCode,
        taskStatus: 'FINISHED',
        taskId,
        consentId: grant.consentId,
      })
    }
  }
}
