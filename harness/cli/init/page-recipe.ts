import {
  allOf,
  controlsOf,
  firstOf,
  formAround,
  formOf,
  pageOf,
  textOf,
  valueOf,
  type Element,
  type Page,
} from '../../session/authorization/html-page.ts'
import type { Profile } from '../../profile/schema.ts'

/** Proposes the recipe for one page of the bank from its HTML. */

export type PageProposal = Extract<Profile['authorization'], { kind: 'pages' }>['pages'][number]

const SUBMITS = 'button:not([type]), button[type=submit], input[type=submit], input[type=image]'
const TYPED = 'input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=number]'

/** In Slovak, Czech and English. REFUSES is matched first, since "disagree" contains "agree". */
const REFUSES =
  /\b(den(y|ied)|refus|reject|declin|cancel|disagree|not now|no\b)|nes[uú]hlas|odmiet|odmítn|zamiet|zamítn|zru[sš]|nepovol|^nie$|^ne$/i
const AGREES =
  /grant|allow|agree|accept|approv|authori[sz]|confirm|consent|submit|continue|\b(yes|ok)\b|s[uú]hlas|potvrd|povol|schv[aá]l|pokra[cč]|^[aá]no$/i
const NAMES_USER = /user|login|mail|client|customer|\bid\b|identif|prihlas|meno/i

/**
 * @param isNamed whether an earlier page asked for the user name, so that this page asks for something else.
 * @returns undefined if the page has no button to continue.
 */
export const proposePage = (html: string, isNamed = false): PageProposal | undefined => {
  const page = pageOf(html)
  return loginPage(page) ?? (isNamed ? undefined : loginPage(page, soleForm(page))) ?? decisionPage(page)
}

/**
 * Cancelling the login does not refuse the consent. If a decision page has a refuse button, those of the login pages are
 * removed.
 */
export const refuseAtDecision = (pages: readonly PageProposal[]): readonly PageProposal[] => {
  const isDecision = ({ fill, refuse }: PageProposal): boolean =>
    refuse !== undefined && Object.keys(fill).length === 0
  if (!pages.some(isDecision)) return pages
  return pages.map((page) => {
    const { refuse, ...passed } = page
    return refuse === undefined || isDecision(page) ? page : passed
  })
}

const loginPage = (page: Page, whose = userForm(page)): PageProposal | undefined => {
  const password = firstOf(page, 'input[type=password]')
  const form = password === undefined ? whose : formOf(page, password)
  const user = form && controlsOf(page, form, TYPED)[0]
  const typed = [
    ...(user === undefined ? [] : [[selectorOf(page, user), '{username}'] as const]),
    ...(password === undefined ? [] : [[selectorOf(page, password), '{password}'] as const]),
  ]
  const [firstField] = typed[0] ?? []
  const submits = form === undefined ? [] : controlsOf(page, form, SUBMITS)
  const press = pick(page, submits, (text) => !REFUSES.test(text))
  if (firstField === undefined || press === undefined) return undefined
  const refuse = pick(page, submits, (text) => REFUSES.test(text))
  return {
    when: firstField,
    fill: Object.fromEntries(typed),
    press,
    ...(refuse !== undefined && { refuse }),
  }
}

/** The form with a field for the user name, for logins that ask for the password on the next page. */
const userForm = (page: Page): Element | undefined =>
  allOf(page, 'form').find((form) => {
    const [user] = controlsOf(page, form, TYPED)
    const { name = '', id = '', autocomplete = '' } = user?.attribs ?? {}
    return NAMES_USER.test(`${name} ${id} ${autocomplete}`)
  })

/** The only form of a page, if it has a single text field. On the first page that is the user name. */
const soleForm = (page: Page): Element | undefined => {
  const [form, ...rest] = allOf(page, 'form')
  const isSole = form !== undefined && rest.length === 0 && controlsOf(page, form, TYPED).length === 1
  return isSole ? form : undefined
}

/** The submit buttons of all forms, also those outside their form element. */
const submitsOn = (page: Page): readonly Element[] =>
  allOf(page, SUBMITS).filter((button) => formOf(page, button) !== undefined)

/** A page with buttons only: one agrees, and there may be one that refuses. */
const decisionPage = (page: Page): PageProposal | undefined => {
  const submits = submitsOn(page)
  const refuse = pick(page, submits, (text) => REFUSES.test(text))
  const press =
    pick(page, submits, (text) => !REFUSES.test(text) && AGREES.test(text)) ??
    pick(page, submits, (text) => !REFUSES.test(text))
  if (press === undefined) return undefined
  return { when: press, fill: {}, press, ...(refuse !== undefined && { refuse }) }
}

interface ReadButton {
  readonly selector: string
  readonly text: string
}

/** Two buttons of which one may refuse, with texts that are not recognised. */
export interface UnknownRefusal {
  /** The selector by which the recipe recognises the page. */
  readonly when: string
  readonly pressed: ReadButton
  readonly other: ReadButton
}

/** The two buttons of a page of which one may refuse; undefined if the page is clear. */
export const unknownRefusalOn = (
  html: string,
  { when, press, refuse, fill }: PageProposal,
): UnknownRefusal | undefined => {
  const page = pageOf(html)
  const buttons = submitsOn(page).map((button) => ({
    selector: selectorOf(page, button),
    text: buttonText(button),
  }))
  const pressed = buttons.find(({ selector }) => selector === press)
  const [other, ...rest] = buttons.filter((button) => button !== pressed)
  const isDecided = refuse !== undefined || Object.keys(fill).length > 0
  return isDecided || pressed === undefined || other === undefined || rest.length > 0
    ? undefined
    : { when, pressed, other }
}

const pick = (
  page: Page,
  submits: readonly Element[],
  fits: (text: string) => boolean,
): string | undefined => {
  const found = submits.find((button) => fits(buttonText(button)))
  return found && selectorOf(page, found)
}

/** The visible text of a button, or its attributes if it has no text. */
const buttonText = (button: Element): string => {
  const { value = '', name = '', title = '' } = button.attribs
  const text = textOf(button).trim()
  return text === '' ? `${value} ${name} ${title}` : text
}

/** A code is a single word of at least six characters. */
const CODE = /^[\w.~+/=-]{6,}$/
const CALLED_CODE = '[id*=code i], [class*=code i], [name*=code i], output, code, input[readonly]'

/**
 * The selector of the element in which a result screen shows the code; undefined if there is none. A run applies the
 * selector to every page, so that it must not be a common tag.
 */
export const proposeCode = (html: string): string | undefined =>
  allOf(pageOf(html), CALLED_CODE)
    .filter((element) => CODE.test(String(valueOf(element) ?? textOf(element)).trim()))
    .flatMap((element) => codeSelector(element) ?? [])[0]

const codeSelector = ({ name: tag, attribs }: Element): string | undefined => {
  const { id, name, class: classes = '' } = attribs
  const className = classes.split(/\s+/).find((each) => /^[a-z_][\w-]*code|^code/i.test(each))
  if (id !== undefined && /^[A-Za-z_][\w-]*$/.test(id)) return `#${id}`
  if (name !== undefined && /^[A-Za-z_][\w-]*$/.test(name)) return `${tag}[name=${name}]`
  if (className !== undefined && /^[\w-]+$/.test(className)) return `${tag}.${className}`
  if (tag === 'output' || tag === 'code') return tag
  return tag === 'input' ? 'input[readonly]' : undefined
}

export const headlineOf = (html: string): string => {
  const page = pageOf(html)
  const lines = ['[role=alert]', 'h1', 'title', 'body']
    .flatMap((selector) => firstOf(page, selector) ?? [])
    .map((element) => textOf(element).replaceAll(/\s+/g, ' ').trim())
  return (lines.find((line) => line !== '') ?? '').slice(0, 120)
}

/**
 * A CSS selector whose first match is this element: by its name and value, by an id that is not generated, or by its
 * type. It contains no text that changes with each visit.
 */
const selectorOf = (page: Page, element: Element): string => {
  const { name, value, id, type, form } = element.attribs
  const tag = element.name
  const isButton = tag === 'button' || ['submit', 'image'].includes(type ?? '')
  const candidates = [
    ...(name === undefined ? [] : [tag + attribute('name', name)]),
    ...(value === undefined || !isButton ? [] : [tag + attribute('value', value)]),
    ...(name === undefined || value === undefined || !isButton
      ? []
      : [tag + attribute('name', name) + attribute('value', value)]),
    ...(id === undefined || isGenerated(id) ? [] : [tag + attribute('id', id)]),
    ...(type === undefined ? [] : [tag + attribute('type', type)]),
    tag,
    ...(form === undefined ? [] : [tag + attribute('form', form)]),
    `${formSelector(page, element)} ${tag}`,
    `${formSelector(page, element)} ${tag}${type === undefined ? ':not([type])' : attribute('type', type)}`,
  ]
  // Prefers a selector with a single match; the last resort may match another element first.
  const only = candidates.find((candidate) => allOf(page, candidate).length === 1)
  return only ?? candidates.find((candidate) => firstOf(page, candidate) === element) ?? tag
}

const attribute = (name: string, value: string): string => {
  if (name === 'id' && /^[A-Za-z_][\w-]*$/.test(value)) return `#${value}`
  return /^[A-Za-z_][\w-]*$/.test(value) ? `[${name}=${value}]` : `[${name}=${JSON.stringify(value)}]`
}

/** Frameworks generate ids with numbers, which change. */
const isGenerated = (id: string): boolean => /\d{2,}|[:.]/.test(id)

const formSelector = (page: Page, element: Element): string => {
  const action = formAround(page, element)?.attribs['action'] ?? ''
  // Query, fragment and path parameters may change with each visit.
  const [path = ''] = action.split(/[?#;]/)
  return path === '' ? 'form' : `form[action^=${JSON.stringify(path)}]`
}
