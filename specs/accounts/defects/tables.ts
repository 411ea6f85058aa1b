import { inEachVariant } from '../../shared/account-changes.ts'
import { defectsIn, isFor } from '../../shared/changes.ts'

/** Tables of defects that are limited to lists, or to details, which the second variant calls information. */

export const ofLists = defectsIn(isFor('accounts', 'first'))
export const ofListsOfTheSecond = defectsIn(isFor('accounts', 'second'))
export const ofEachList = inEachVariant('accounts')

export const ofDetails = defectsIn(isFor('account', 'first'))
export const ofInformation = defectsIn(isFor('account', 'second'))
export const ofEachDetail = inEachVariant('account')
