import { TRX } from './requirements.ts'
import { isForeign, isLast, isOf, opening, reading, showing, together } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Change } from './defect-rules.ts'

/** What a bank can get wrong when it shows transactions page by page, each with a link to the next one. */

/** Links to another page; nothing leaves the link as it is. */
const linking =
  (link: (facts: Parameters<ReturnType<typeof lawfulLink>>[0]) => string | undefined): Change =>
  (lawful) => ({
    nextLink: (facts) => link(facts) ?? lawful.nextLink(facts),
  })

type LinkRule = Parameters<Change>[0]['nextLink']

const lawfulLink = (lawful: Parameters<Change>[0]): LinkRule => lawful.nextLink

const isPastTheEnd = ({ all, offset, size }: { all: readonly unknown[]; offset: number; size: number }) =>
  offset + size >= all.length

/** Where a page is one of the middle. */
const isThird = ({ all, offset, size }: { all: readonly unknown[]; offset: number; size: number }): boolean =>
  offset === 2 * size && offset + size < all.length
