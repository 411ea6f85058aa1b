import type { Consequence } from '../../harness/check/consequence.ts'

/**
 * What it means for customers and for client applications if a check of a spec file finds a violation, for readers of the
 * compliance report who do not know the interface. The key is the spec file: `tokens/codes`.
 */

const critical = (customers: string, clients: string): Consequence => ({
  severity: 'critical',
  customers,
  clients,
})
const major = (customers: string, clients: string): Consequence => ({ severity: 'major', customers, clients })

export const consequences: Readonly<Record<string, Consequence>> = {
  'consent/creation': major(
    'A customer may be unable to give an application access to the accounts.',
    'An application of a third party cannot create the consent with which every access begins, or confuses two consents.',
  ),
  'consent/scope': critical(
    'An application may gain access that the customer has not consented to, or the customer is asked again without need.',
    'A consent may be used by another application than the one that created it, or cannot be used for the access that it was created for.',
  ),
  'consent/credentials': critical(
    'Somebody who is not the application may ask customers for access in its name.',
    'The secret of an application does not protect its consents as it should.',
  ),
  'authorization/grant': major(
    'A customer who agrees may not arrive back at the application, and has to start again.',
    'The application does not receive the authorization code, or cannot match it to the customer who began.',
  ),
  'authorization/decision': critical(
    'An application may gain access although the customer refused it, or has not decided yet.',
    'The application cannot rely on the customer’s decision, or does not learn of it.',
  ),
  'authorization/request': critical(
    'A prepared link may send a customer, or the access that the customer grants, to somebody else.',
    'A faulty or forged authorization request is not stopped, or its fault is not reported to the application.',
  ),
  'authorization/frames': major(
    'Another site may show the login of the bank inside its own page, and lead a customer to agree without noticing.',
    'A customer may have granted access without wanting to.',
  ),
  'tokens/issuing': major(
    'An application may lose its access to the customer’s accounts, or has to ask the customer again too early.',
    'An application that reads the token response as documented does not find what it needs.',
  ),
  'tokens/request': critical(
    'Access that was meant for one purpose or one application may be obtained for another.',
    'The token endpoint accepts requests that it should refuse, or refuses valid ones.',
  ),
  'tokens/codes': critical(
    'Somebody who gets hold of an authorization code may use it to read the customer’s accounts.',
    'The protection of authorization codes (PKCE, single use) does not work as the application has to assume.',
  ),
  'tokens/client-authentication': critical(
    'Somebody who does not know the secret of an application may obtain its access to customers’ accounts.',
    'The authentication of the application is not enforced, or its failure is not reported in the documented way.',
  ),
  'tokens/exact-values': critical(
    'A nearly correct secret or code may be enough to obtain access to a customer’s accounts.',
    'Values are not compared exactly, which makes them easier to guess.',
  ),
  'tokens/bearer': critical(
    'Account data may be read without a valid access token.',
    'The bank does not verify access tokens as documented, or does not tell the application why a call was refused.',
  ),
  'tokens/expiry': critical(
    'Access may continue after the 90 days, when the customer has to be asked again, or end before them.',
    'The application cannot rely on the documented lifetime of its tokens.',
  ),
  'tokens/revocation': critical(
    'Access may continue after the customer has withdrawn it.',
    'The application does not learn that the customer has withdrawn the access, or loses another access with it.',
  ),
  'tokens/renewal': critical(
    'Access may be renewed by somebody else, or the customer is asked again without need.',
    'The application cannot renew its access as documented.',
  ),
  'tokens/life': critical(
    'What is right at first may become wrong with time: access that was withdrawn continues, or transactions and amounts are missing.',
    'The application cannot rely on what it has seen before: tokens, transactions and balances change against the documentation.',
  ),
  'tokens/data-calls': major(
    'After a renewal the customer may see other accounts than before, or none.',
    'A renewed token does not open what the token before it opened.',
  ),
  'accounts/list': critical(
    'An account that the customer did not select may be visible to the application, or a selected one is missing.',
    'The application shows a wrong list of accounts.',
  ),
  'accounts/detail': critical(
    'The details and balances of an account may be shown to somebody who has no consent for it, or may be those of another account.',
    'The application shows wrong details or balances, or none.',
  ),
  'accounts/booking': major(
    'The customer may see an outdated balance, and decide on the basis of it.',
    'The application shows a balance that does not include the latest booking.',
  ),
  'accounts/dead-tokens': critical(
    'Balances may be readable after the access has expired or was withdrawn.',
    'The application does not learn from the answer that it has to ask the customer again.',
  ),
  'transactions/pages': major(
    'Transactions may be missing from the customer’s history, or appear twice.',
    'An application that reads page by page computes wrong totals.',
  ),
  'transactions/booking': major(
    'A new transaction may be missing, or shown on another account.',
    'The history that the application shows is not current or not complete.',
  ),
  'transactions/sizes': major(
    'A long history may load slowly, or not at all.',
    'The page sizes that the application asks for are not kept, so that it reads too much or too little.',
  ),
  'transactions/isolation': critical(
    'Transactions may be shown to somebody who has no consent for the account.',
    'The application cannot rely on the bank to separate the accounts of customers.',
  ),
  'transactions/dead-tokens': critical(
    'Transactions may be readable after the access has expired or was withdrawn.',
    'The application does not learn from the answer that it has to ask the customer again.',
  ),
  'refresh/tasks': major(
    'The data of accounts at other banks may stay outdated.',
    'The application cannot tell which update has finished.',
  ),
  'refresh/data': major(
    'The customer may see outdated balances and transactions of accounts at other banks.',
    'The application is informed that an update has finished although the data is not current.',
  ),
  'refresh/token': critical(
    'Somebody without valid access may start updates of the customer’s accounts at other banks.',
    'The application does not learn from the answer that its token is no longer valid.',
  ),
  'refresh/consent': critical(
    'Accounts may be updated for an application that the customer has not authorized for them.',
    'The application can start updates of consents that it does not hold, or starts none without noticing it.',
  ),
  'webhooks/bookings': major(
    'The customer may not be informed of a new transaction.',
    'The application receives no notification, a wrong one, or one that it cannot authenticate.',
  ),
  'webhooks/refreshes': major(
    'The customer may wait for updated data of other banks without a result.',
    'The application cannot match notifications to the updates that it started.',
  ),
  'webhooks/life': major(
    'The customer may not be informed of a transaction, depending on its amount or the time of day.',
    'Notifications are missing at times, or continue after the customer has withdrawn the access.',
  ),
  'webhooks/activation': major(
    'Notifications may begin too early or too late.',
    'The application cannot rely on the time from which it is notified.',
  ),
  'webhooks/isolation': critical(
    'An application may be informed of changes on accounts that it has no consent for.',
    'The application receives notifications of other customers or environments.',
  ),
  'webhooks/settings': major(
    'Notifications about the customer’s accounts may be sent to a wrong address, or without protection.',
    'Settings that the interface forbids are accepted, or permitted ones are refused.',
  ),
  'webhooks/silence': critical(
    'Changes may be reported to an application after the customer has withdrawn its access.',
    'The application receives notifications that it should not receive.',
  ),
  'webhooks/fac': major(
    'A customer who uses the own application may not be informed of a new transaction.',
    'A FAC receives no notification, or a wrong one.',
  ),
  'payments/life': critical(
    'A payment that was rejected or settled may change later, or a message that is sent again is executed twice.',
    'The application cannot rely on a final status, or cannot tell two payments apart.',
  ),
  'payments/initiation': major(
    'A payment may not be accepted, be executed twice, or be lost from sight.',
    'The application cannot identify the payment that it has initiated, or does not know its status.',
  ),
  'payments/rejection': major(
    'A payment that cannot be executed may be accepted, or the customer does not learn why it was rejected.',
    'The application cannot tell its user the reason of a rejection, and cannot correct the order.',
  ),
  'payments/access': critical(
    'A payment may be submitted without the customer’s authorization, or be visible to somebody else.',
    'The application cannot rely on the bank to protect payments from other applications and from expired access.',
  ),
  'payments/submission': critical(
    'An authorized payment may not be executed, be executed twice or on a wrong day.',
    'The status that the application shows does not agree with what happens to the payment.',
  ),
  'payments/sequences': critical(
    'A payment may be executed that was not authorized, or be reported in a state that it is not in.',
    'The application meets states of payments that it cannot foresee.',
  ),
  'loans/life': major(
    'A customer may be offered a loan beyond the capacity, or an application may be lost.',
    'The answer to the same request, or an application, depends on how many there were before, or on the time of day.',
  ),
  'loans/token': major(
    'An application for a loan may not be possible.',
    'The application cannot obtain access to the loan sandbox as documented.',
  ),
  'loans/paths': major(
    'The customer may see a wrong status of the application for a loan.',
    'An application that was developed against the documented paths does not work.',
  ),
  'loans/refusals': critical(
    'The application for a loan of one customer may be visible or open to others.',
    'Invalid requests are accepted, or the documented error code is missing.',
  ),
  'loans/precalculation': major(
    'The customer may receive a wrong statement about a possible loan.',
    'The documented examples of a precalculation do not have the documented results.',
  ),
  'loans/submission': major(
    'An application for a permitted amount may be refused, or one for a forbidden amount accepted.',
    'The limits that the application shows to its users do not hold.',
  ),
  'loans/refused-applications': major(
    'An application for a loan may exist although it was refused.',
    'The application cannot rely on a refusal.',
  ),
  'loans/cancellations': major(
    'A loan that the customer has canceled may be paid out, or cannot be canceled.',
    'The result of a cancellation does not agree with the status afterwards.',
  ),
  'environments/serving': major(
    'An application may not be able to reach the bank.',
    'The application does not find the operations at the documented paths.',
  ),
  'environments/loans': critical(
    'Access to one interface may open another one that the customer has not agreed to.',
    'Tokens for loans, accounts and payments are not kept apart.',
  ),
  'environments/payments': critical(
    'A test payment may appear in production, or a real one in the sandbox.',
    'The environments are not separated for payments.',
  ),
  'environments/versions': major(
    'Applications may stop working when the bank introduces a new version.',
    'The version in the path has no meaning, so that a new version cannot be introduced safely.',
  ),
  'environments/grants': critical(
    'Access that was granted for tests may open real account data.',
    'The environments are not separated for consents, codes and tokens.',
  ),
  'environments/loan-operations': critical(
    'Access to accounts or payments may open applications for loans.',
    'Tokens for loans, accounts and payments are not kept apart.',
  ),
  'environments/tls': critical(
    'Passwords and access may be read by others on the network.',
    'The bank answers requests over connections that are not encrypted.',
  ),
}

/** Fields of payment records. */
const FORM_OF_RECORDS = ['PAY-04', 'PAY-05', 'PAY-14', 'PAY-16', 'PAY-17', 'PAY-58']

/** The status of an application, and the answer about one that does not exist: nobody gains access by it. */
const STATUS_OF_APPLICATIONS = ['LOA-22', 'LOA-39', 'LOA-40']
/** Amounts of the wrong form, and those with cents out of bounds. */
const FORM_OF_AMOUNTS = ['LOA-54', 'LOA-55', 'LOA-56', 'LOA-84', 'LOA-85']

/** Requirements on the form of an answer, which are checked in many files: what they mean does not depend on the file. */
const SAME_EVERYWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['PAY-12', 'PAY-26', 'PAY-35', 'PAY-36', 'PAY-37', 'PAY-38', 'PAY-40', 'PAY-70'].map((id) => [
      id,
      'payments/rejection',
    ]),
  ),
  ...Object.fromEntries(FORM_OF_RECORDS.map((id) => [id, 'payments/initiation'])),
  ...Object.fromEntries(STATUS_OF_APPLICATIONS.map((id) => [id, 'loans/paths'])),
  ...Object.fromEntries(FORM_OF_AMOUNTS.map((id) => [id, 'loans/submission'])),
}

/** The consequence of a violation of a requirement that a check in this file found: `specs/tokens/codes.spec.ts:12`. */
export const consequenceOf = (requirement: string, file: string): Consequence | undefined =>
  consequences[SAME_EVERYWHERE[requirement] ?? /^specs\/(.+)\.spec\.ts(:\d+)?$/.exec(file)?.[1] ?? '']
