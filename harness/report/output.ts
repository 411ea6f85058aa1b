/** All that a run ever writes into its output directory. */
export const OUTPUT = {
  report: 'report.json',
  junit: 'junit.xml',
  evidence: 'evidence.jsonl',
  allureResults: 'allure-results',
  allureReport: 'allure-report',
} as const
