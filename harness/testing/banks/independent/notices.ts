/** PUT /refresh, and the notifications that leave the bank. */

import { nowOf, type Bank } from './bank.ts'
import type { Account, Movement } from './people.ts'
import { accountsOf, draw, lives, type Grant, type Task, type World } from './world.ts'
import { fault, json, objectOf, textOf, type Answer, type Call } from './wire.ts'

const HOUR = 3_600_000
const TASK_MS = 40

/** The URL has no parameters, and the header is empty or of these letters alone. */
export const settingsFault = (endpoint: string, header: string): string | undefined => {
  if (!URL.canParse(endpoint) || /[?;#]/.test(endpoint)) return 'endpoint'
  return /^[ a-zA-Z0-9=+/]*$/.test(header) ? undefined : 'secureHeader'
}

export const nextHour = (now: number): number => (Math.floor(now / HOUR) + 1) * HOUR

const notify = (bank: Bank, grant: Grant, name: string, told: Record<string, unknown>): void => {
  const settings = bank.settings.get(grant.application.id)
  if (settings?.enabled !== true || nowOf(bank) < settings.from) return
  if (grant.application.kind === 'FAC' && !bank.choices.ownersAreTold) return
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (settings.secureHeader !== '') headers.authorization = settings.secureHeader
  const body = JSON.stringify(bank.choices.hookShape === 'keyed' ? { [name]: told } : { name, ...told })
  fetch(settings.endpoint, { method: bank.choices.hookMethod, headers, body }).catch(() => undefined)
}

/** A grant of which an access token still lives. */
const active = (bank: Bank, world: World): Grant[] =>
  world.grants.filter((grant) =>
    [...world.access.values()].some((token) => token.grant === grant && lives(world, token, nowOf(bank))),
  )

/** One of each consent, since a consent may have been granted more than once. */
const oneOfEach = (grants: readonly Grant[]): Grant[] => [
  ...new Map(grants.map((grant) => [grant.consentId, grant])).values(),
]

/** What the owner's bank books is seen at once; what another bank books waits for a refresh. */
export const book = (bank: Bank, world: World, account: Account, movement: Movement): void => {
  if (account.bank !== undefined) {
    account.unfetched.push(movement)
    return
  }
  account.movements.push(movement)
  for (const grant of oneOfEach(
    active(bank, world).filter(({ accountIds }) => accountIds.has(account.accountId)),
  )) {
    const accounts = [{ accountId: account.accountId }]
    notify(bank, grant, 'transactionEvent', { consentId: grant.consentId, eventType: 'NEW', accounts })
  }
}

const consentNamed = (bank: Bank, grant: Grant, call: Call): string | undefined => {
  const { refreshTold } = bank.choices
  if (refreshTold === 'token') return grant.consentId
  if (refreshTold === 'header') return textOf(call.headers['consent-reference'])
  if (refreshTold === 'body') return textOf(objectOf(call.text)?.consentId)
  return call.query.get('consentId') ?? undefined
}

export const refresh = (bank: Bank, world: World, grant: Grant, call: Call): Answer => {
  const consentId = consentNamed(bank, grant, call)
  if (consentId === undefined) return fault(400, 'CONSENT', 'Which consent?')
  if (consentId !== grant.consentId)
    return fault(403, 'CONSENT', 'No such consent was granted to this token.')
  const task: Task = { taskId: draw(6), grant, due: nowOf(bank) + TASK_MS }
  world.tasks.push(task)
  // Where nobody moves the clock, a task ends by itself; nobody waits for it here.
  setTimeout(() => settle(bank, world), TASK_MS + 5).unref()
  return json(bank.choices.refreshStatus, {
    job: { began: new Date(nowOf(bank)).toISOString(), taskId: task.taskId },
  })
}

/** Finishes the tasks that are due: one notification for each bank. */
export const settle = (bank: Bank, world: World): void => {
  const due = world.tasks.filter((task) => task.due <= nowOf(bank))
  world.tasks = world.tasks.filter((task) => !due.includes(task))
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
