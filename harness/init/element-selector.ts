import type { Cheerio, CheerioAPI } from 'cheerio/slim'

type Element = ReturnType<CheerioAPI>[number]

/**
 * A CSS selector that finds this element first, of those that a person would write: by its name and value, by an id
 * that was not made up for the page, by its type. Text that comes anew with each page is no part of it.
 */
export const selectorOf = ($: CheerioAPI, element: Cheerio<Element>): string => {
  const { name, value, id, type, form } = element.attr() ?? {}
  const tag = element.prop('tagName')?.toLowerCase() ?? '*'
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
    `${formOf(element)} ${tag}`,
    `${formOf(element)} ${tag}${type === undefined ? ':not([type])' : attribute('type', type)}`,
  ]
  // The most telling one, where several would do; the last resort may still find another element first.
  const only = candidates.find((candidate) => $(candidate).length === 1)
  return only ?? candidates.find((candidate) => $(candidate).first().is(element)) ?? tag
}

const attribute = (name: string, value: string): string => {
  if (name === 'id' && /^[A-Za-z_][\w-]*$/.test(value)) return `#${value}`
  return /^[A-Za-z_][\w-]*$/.test(value) ? `[${name}=${value}]` : `[${name}=${JSON.stringify(value)}]`
}

/** Frameworks number their elements anew. */
const isMadeUp = (id: string): boolean => /\d{2,}|[:.]/.test(id)

const formOf = (element: Cheerio<Element>): string => {
  const action = element.closest('form').attr('action') ?? ''
  // What comes behind the path may be of this one visit.
  const [path = ''] = action.split(/[?#;]/)
  return path === '' ? 'form' : `form[action^=${JSON.stringify(path)}]`
}
