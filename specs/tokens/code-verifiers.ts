/** Code verifiers of RFC 7636. */

/** The characters of a code_verifier (§4.1). */
export const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

/** The example of Appendix B. */
export const APPENDIX_B = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** As long as a code_verifier may be, with every character that it may have, and a punctuation mark first. */
export const LONGEST = Array.from(UNRESERVED).reverse().join('').repeat(2).slice(0, 128)
