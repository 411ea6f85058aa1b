import { type Account, type Entry, OWN_BANK } from './seed.ts'

export const isOwn = (account: Account): boolean => account.bank === OWN_BANK

/** The accounts and what is booked on them. */
export class Accounts {
  constructor(readonly all: readonly Account[]) {}

  ofCustomer(contractNumber: string | undefined): Account[] {
    return this.all.filter(({ owner }) => owner === contractNumber)
  }

  byIban(iban: string): Account | undefined {
    return this.all.find((account) => account.iban === iban)
  }

  /** Books an entry. What happens at another bank is seen after a refresh only. */
  book(account: Account, entry: Omit<Entry, 'entryReference'>): Entry {
    const serial = account.entries.length + account.unfetched.length + 1
    const numbered = {
      entryReference: `${account.accountId}-${serial.toString().padStart(4, '0')}`,
      ...entry,
    }
    account.unfetched.push(numbered)
    if (isOwn(account)) this.fetchEntries(account)
    return numbered
  }

  fetchEntries(account: Account): void {
    for (const entry of account.unfetched.splice(0)) {
      account.entries.push(entry)
      account.cents += entry.cents
    }
  }
}
