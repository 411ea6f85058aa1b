/** All that a run writes into its output folder. */
export const OUTPUT = {
  /** Marks the folder as one whose reports a later run may replace. */
  marker: 'about-this-folder.txt',
  report: 'report.json',
  junit: 'junit.xml',
  jobSummary: 'summary.md',
  /** The report for readers outside of development, and the same on paper. */
  compliance: 'compliance.html',
  compliancePdf: 'compliance.pdf',
  evidence: 'evidence.jsonl',
  /** What each scenario gave its checks to judge. */
  records: 'records.jsonl',
  /** What the run was given: which checks had to be judged follows from it. */
  inputs: 'inputs.json',
  /** The digests of all files. */
  manifest: 'manifest.json',
  /** For a named scope that was judged completely: a statement over all files, signed if there is a key. */
  certificate: 'certificate.json',
  /** What a run that waits is resumed. */
  log: 'resume.jsonl',
  /** What the target must trust, where the webhook sink made its own certificate. */
  sinkCertificate: 'webhook-sink.pem',
  /** What a browser showed at the end of authorizations that led nowhere. */
  browser: 'browser',
  schedule: 'schedule.svg',
  paymentModel: 'payment-model.svg',
  cancelledLoan: 'loan-path-cancelled.svg',
  expiredLoan: 'loan-path-expired.svg',
  nonClientLoan: 'loan-path-non-client.svg',
  clientLoan: 'loan-path-client.svg',
  allureResults: 'allure-results',
  allureReport: 'allure-report',
} as const
