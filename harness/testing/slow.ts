/** A test that takes more than some seconds, or opens a browser: `npm run verify` leaves it to `--full`. */
export const SLOW = { tags: ['slow'] }
