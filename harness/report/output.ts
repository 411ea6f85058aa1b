/** All that a run ever writes into its output directory. */
export const OUTPUT = {
  report: 'report.json',
  junit: 'junit.xml',
  jobSummary: 'summary.md',
  evidence: 'evidence.jsonl',
  paymentModel: 'payment-model.svg',
  allureResults: 'allure-results',
  allureReport: 'allure-report',
} as const
