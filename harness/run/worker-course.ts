import { inject } from 'vitest'
import { openCourse } from './course.ts'

/**
 * The course of the run in this worker. The setup file runs anew before each spec file and this module does not, so
 * that a target which went silent in one file is not waited for in the next.
 */
export const course = openCourse(inject('certification'))
