import { contains } from 'cheerio/slim'
import { allOf, valueOf } from './page.ts'
import type { Element, Page } from './page.ts'
import type { Fields } from './request.ts'

type Controls = 'input, select, textarea' | `${'input' | 'button'}${string}`

/** The form that an element stands in, or is. */
export const formAround = (page: Page, element: Element): Element | undefined =>
  allOf(page, 'form').findLast((form) => form === element || contains(form, element))

/** The form that a control belongs to: the one that it names, or the one that it stands in. */
export const formOf = (page: Page, control: Element): Element | undefined => {
  const named = control.attribs['form']
  return named === undefined
    ? formAround(page, control)
    : allOf(page, 'form').find(({ attribs }) => attribs['id'] === named)
}

/**
 * Those inside of the form that name no other, and those elsewhere that name it; in the order of the page.
 * @param selector what is looked for.
 */
export const controlsOf = (page: Page, form: Element, selector: Controls): readonly Element[] => {
  const { id } = form.attribs
  const inside = allOf(form, selector).filter(({ attribs }) => attribs['form'] === undefined)
  return id === undefined || id === ''
    ? inside
    : allOf(page, selector).filter((control) =>
        control.attribs['form'] === undefined ? inside.includes(control) : control.attribs['form'] === id,
      )
}

/** What a browser sends of a form, without the button that is pressed. */
export const fieldsOf = (page: Page, form: Element): Fields =>
  controlsOf(page, form, CONTROLS).flatMap((control) => {
    const { name = '', disabled, checked } = control.attribs
    const type = control.attribs['type']?.toLowerCase() ?? ''
    const isChosen = !CHOICES.has(type) || checked !== undefined
    if (name === '' || disabled !== undefined || SENT_OTHERWISE.has(type) || !isChosen) return []
    return [valueOf(control) ?? ''].flat().map((value) => [name, value.replace(/\r?\n/g, '\r\n')] as const)
  })

/** Ticks all check boxes and radio buttons that a selector finds; of radio buttons with one name the last stays ticked. */
export const tick = (page: Page, selectors: readonly string[]): void => {
  const radios = selectors.length === 0 ? [] : allOf(page, 'input[type=radio i]')
  for (const control of selectors.flatMap((selector) => allOf(page, selector))) {
    if (radios.includes(control))
      for (const { attribs } of radios.filter((each) => each.attribs['name'] === control.attribs['name']))
        delete attribs['checked']
    control.attribs['checked'] = 'checked'
  }
}

const CONTROLS = 'input, select, textarea'

/** They are pressed, or carry files. */
const SENT_OTHERWISE: ReadonlySet<string> = new Set(['submit', 'button', 'image', 'reset', 'file'])
const CHOICES: ReadonlySet<string> = new Set(['checkbox', 'radio'])
