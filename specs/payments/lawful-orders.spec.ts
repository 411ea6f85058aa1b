import { constantFrom, integer, oneof, record, string } from 'fast-check'
import { check } from '../../harness/check/index.ts'
import { property } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import { PAY } from './requirements.ts'

/** The characters that every bank of SEPA takes (EPC217-08). */
const SEPA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ "
const SLOVAK = 'aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕsštťuúvwxyýzžAÁBCČDĎEÉIÍLĽNŇOÓÔRŔSŠTŤUÚYÝZŽ '

const LARGEST_CENTS = 999_999_999_999

/** A slash neither begins nor ends a text, nor stands beside another (EPC132-08); blanks at the ends are nothing. */
const tidy = (text: string): string => text.replaceAll(/\/+/g, '/').replaceAll(/^[/ ]+|[/ ]+$/g, '')

const text = (characters: string, most: number) =>
  string({ unit: constantFrom(...Array.from(characters)), minLength: 1, maxLength: most, size: 'max' })
    .map(tidy)
    .filter((one) => one !== '')

const cents = oneof(
  constantFrom(1, 99, 100, 101, 99_999_999_999, 100_000_000_000, LARGEST_CENTS),
  integer({ min: 1, max: 100_000 }),
  integer({ min: 100_000, max: LARGEST_CENTS }),
)

const orders = record({
  amount: cents.map((count) => count / 100),
  remittanceInformation: text(SEPA, 140),
  endToEndIdentification: text(SEPA, 35),
  creditorName: text(SLOVAK, 70),
  debtorName: text(SLOVAK, 70),
})

const lawful = property(
  'an initiation within the limits of SEPA',
  {
    effect: 'pay',
    as: 'any',
    needs: ['payments', 'any-amount'],
    payments: { initiated: 1 },
  },
  orders,
  async (session, values) => {
    const payments = await session.payments()
    return session.alike(
      () => payments.initiate(),
      () => payments.initiate({ values }),
    )
  },
)

const brokeDown = ({ status }: ObservedExchange): boolean => Number(status.value) >= 500

check(PAY.lawfulInitiationIsNoBreakdown, lawful, ({ changed, valid, again }) => {
  // A bank that breaks down over every order, or over one alone, is not down because of what this one says.
  const isToBlame = brokeDown(changed) && valid?.accepted === true && again !== undefined && brokeDown(again)
  changed.status.satisfies(!isToBlame, 'a status below 500, whatever becomes of the payment')
})
