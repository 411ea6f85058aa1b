/** The terms on which a loan is offered. */
import type { Offer } from './loan.ts'

const DURATIONS = [6, 12, 24] as const

/** The duration that the bank would advise. */
const ADVISED = 12

/** In percent a year. */
const INTEREST_RATE = 9.9

/** Of an annuity, to the cent. */
const instalmentOf = (amount: number, months: number): number => {
  const rate = INTEREST_RATE / 100 / 12
  return Math.round((amount * rate * 100) / (1 - (1 + rate) ** -months)) / 100
}

/** In percent a year. Nothing but the interest is paid for a loan. */
const ANNUAL_RATE = Math.round(((1 + INTEREST_RATE / 100 / 12) ** 12 - 1) * 10_000) / 100

export const offersFor = (amount: number): readonly Offer[] =>
  DURATIONS.map((months) => ({
    amount,
    months,
    interestRate: INTEREST_RATE,
    annualRate: ANNUAL_RATE,
    instalment: instalmentOf(amount, months),
    isPreferred: months === ADVISED,
  }))
