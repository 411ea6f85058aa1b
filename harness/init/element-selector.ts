import { formAround } from '../session/form-fields.ts'
import { allOf, firstOf } from '../session/page.ts'
import type { Element, Page } from '../session/page.ts'

/**
 * A CSS selector that finds this element first, of those that a person would write: by its name and value, by an id
 * that was not made up for the page, by its type. Text that comes anew with each page is no part of it.
 */
export const selectorOf = (page: Page, element: Element): string => {
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
