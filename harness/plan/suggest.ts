// The words of a profile are mended in the same way, and a profile knows nothing of plans.
export { nearest } from '../profile/nearest.ts'
