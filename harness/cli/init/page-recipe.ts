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
} from '../../session/authorization/page-navigation.ts'
import type { Profile } from '../../profile/schema.ts'

/** Proposes what a customer does on a page of the bank, from what stands on it. */

export type PageProposal = Extract<Profile['authorization'], { kind: 'pages' }>['pages'][number]

const SUBMITS = 'button:not([type]), button[type=submit], input[type=submit], input[type=image]'
const TYPED = 'input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=number]'

/** In the languages of those who have such banks, and in English. What refuses may hold a word that agrees. */
const REFUSES =
  /\b(den(y|ied)|refus|reject|declin|cancel|disagree|not now|no\b)|nes[uú]hlas|odmiet|odmítn|zamiet|zamítn|zru[sš]|nepovol|^nie$|^ne$/i
const AGREES =
  /grant|allow|agree|accept|approv|authori[sz]|confirm|consent|submit|continue|\b(yes|ok)\b|s[uú]hlas|potvrd|povol|schv[aá]l|pokra[cč]|^[aá]no$/i
const NAMES_USER = /user|login|mail|client|customer|\bid\b|identif|prihlas|meno/i

/**
 * @param isNamed whether the customer has said who they are, on a page before: what is to be typed now is something else.
 * @returns undefined where nobody could go on from this page.
 */
export const proposePage = (html: string, isNamed = false): PageProposal | undefined => {
  const page = pageOf(html)
  return loginPage(page) ?? (isNamed ? undefined : loginPage(page, soleForm(page))) ?? decisionPage(page)
}

/**
 * Whoever goes back at the login has refused nothing yet: where a page behind it has a button that refuses, that one is
 * pressed alone.
 */
export const refusedLast = (pages: readonly PageProposal[]): readonly PageProposal[] => {
  const isDecision = ({ fill, refuse }: PageProposal): boolean =>
    refuse !== undefined && Object.keys(fill).length === 0
  if (!pages.some(isDecision)) return pages
  return pages.map((page) => {
    const { refuse, ...passed } = page
    return refuse === undefined || isDecision(page) ? page : passed
  })
}

/** A page that asks who the customer is: a password, a user name, or both. */
const loginPage = (page: Page, whose = userForm(page)): PageProposal | undefined => {
  const password = firstOf(page, 'input[type=password]')
  const form = password === undefined ? whose : formOf(page, password)
  const user = form && controlsOf(page, form, TYPED)[0]
  const typed = [
    ...(user === undefined ? [] : [[selectorOf(page, user), '{username}'] as const]),
    ...(password === undefined ? [] : [[selectorOf(page, password), '{password}'] as const]),
  ]
  const [recognised] = typed[0] ?? []
  const submits = form === undefined ? [] : controlsOf(page, form, SUBMITS)
  const press = pick(page, submits, (words) => !REFUSES.test(words))
  if (recognised === undefined || press === undefined) return undefined
  const refuse = pick(page, submits, (words) => REFUSES.test(words))
  return {
    when: recognised,
    fill: Object.fromEntries(typed),
    press,
    ...(refuse !== undefined && { refuse }),
  }
}

/** Where the password comes on a page of its own. */
const userForm = (page: Page): Element | undefined =>
  allOf(page, 'form').find((form) => {
    const [user] = controlsOf(page, form, TYPED)
    const { name = '', id = '', autocomplete = '' } = user?.attribs ?? {}
    return NAMES_USER.test(`${name} ${id} ${autocomplete}`)
  })

/** The one form of a page, with one thing to type: whatever it is called, a login begins with who it is. */
const soleForm = (page: Page): Element | undefined => {
  const [form, ...others] = allOf(page, 'form')
  const isSole = form !== undefined && others.length === 0 && controlsOf(page, form, TYPED).length === 1
  return isSole ? form : undefined
}

/** All that sends a form, wherever it stands. */
const submitsOn = (page: Page): readonly Element[] =>
  allOf(page, SUBMITS).filter((button) => formOf(page, button) !== undefined)

/** A page with buttons alone: one that agrees, and perhaps one that refuses. */
const decisionPage = (page: Page): PageProposal | undefined => {
  const submits = submitsOn(page)
  const refuse = pick(page, submits, (words) => REFUSES.test(words))
  const press =
    pick(page, submits, (words) => !REFUSES.test(words) && AGREES.test(words)) ??
    pick(page, submits, (words) => !REFUSES.test(words))
  if (press === undefined) return undefined
  return { when: press, fill: {}, press, ...(refuse !== undefined && { refuse }) }
}

/** A button, as a recipe names it and as a customer reads it. */
interface ReadButton {
  readonly selector: string
  readonly words: string
}

/** Two buttons of which one may well refuse, by words that nobody here knows. */
export interface Doubt {
  /** The page, as the recipe knows it. */
  readonly when: string
  readonly pressed: ReadButton
  readonly other: ReadButton
}

/** Whether it is for a person to say which of two buttons refuses; undefined where the page leaves no doubt. */
export const doubtOn = (html: string, { when, press, refuse, fill }: PageProposal): Doubt | undefined => {
  const page = pageOf(html)
  const buttons = submitsOn(page).map((button) => ({
    selector: selectorOf(page, button),
    words: wordsOf(button),
  }))
  const pressed = buttons.find(({ selector }) => selector === press)
  const [other, ...others] = buttons.filter((button) => button !== pressed)
  const isDecided = refuse !== undefined || Object.keys(fill).length > 0
  return isDecided || pressed === undefined || other === undefined || others.length > 0
    ? undefined
    : { when, pressed, other }
}

const pick = (
  page: Page,
  submits: readonly Element[],
  fits: (words: string) => boolean,
): string | undefined => {
  const found = submits.find((button) => fits(wordsOf(button)))
  return found && selectorOf(page, found)
}

/** What a customer reads on a button; where that is a picture, what it is called. */
const wordsOf = (button: Element): string => {
  const { value = '', name = '', title = '' } = button.attribs
  const text = textOf(button).trim()
  return text === '' ? `${value} ${name} ${title}` : text
}

/** A code is one word that nobody would write. */
const CODE = /^[\w.~+/=-]{6,}$/
const CALLED_CODE = '[id*=code i], [class*=code i], [name*=code i], output, code, input[readonly]'

/**
 * Where a result screen shows the code; undefined where nothing on the page looks like one. It is looked for on every
 * page, so that a tag that others have too would find it where it is not.
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

/** What the page is about, for who reads that nobody could go on from it. */
export const headlineOf = (html: string): string => {
  const page = pageOf(html)
  const lines = ['[role=alert]', 'h1', 'title', 'body']
    .flatMap((selector) => firstOf(page, selector) ?? [])
    .map((element) => textOf(element).replaceAll(/\s+/g, ' ').trim())
  return (lines.find((line) => line !== '') ?? '').slice(0, 120)
}

/**
 * A CSS selector that finds this element first, of those that a person would write: by its name and value, by an id
 * that was not made up for the page, by its type. Text that comes anew with each page is no part of it.
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
    ...(id === undefined || isMadeUp(id) ? [] : [tag + attribute('id', id)]),
    ...(type === undefined ? [] : [tag + attribute('type', type)]),
    tag,
    ...(form === undefined ? [] : [tag + attribute('form', form)]),
    `${formSelector(page, element)} ${tag}`,
    `${formSelector(page, element)} ${tag}${type === undefined ? ':not([type])' : attribute('type', type)}`,
  ]
  // The most telling one, where several would do; the last resort may still find another element first.
  const only = candidates.find((candidate) => allOf(page, candidate).length === 1)
  return only ?? candidates.find((candidate) => firstOf(page, candidate) === element) ?? tag
}

const attribute = (name: string, value: string): string => {
  if (name === 'id' && /^[A-Za-z_][\w-]*$/.test(value)) return `#${value}`
  return /^[A-Za-z_][\w-]*$/.test(value) ? `[${name}=${value}]` : `[${name}=${JSON.stringify(value)}]`
}

/** Frameworks number their elements anew. */
const isMadeUp = (id: string): boolean => /\d{2,}|[:.]/.test(id)

const formSelector = (page: Page, element: Element): string => {
  const action = formAround(page, element)?.attribs['action'] ?? ''
  // What comes behind the path may be of this one visit.
  const [path = ''] = action.split(/[?#;]/)
  return path === '' ? 'form' : `form[action^=${JSON.stringify(path)}]`
}
