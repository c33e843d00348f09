// The shape of a check: what it looks at, a sentence for when all is well, and problems that each come with a fix. A
// check that cannot run is a problem itself and does not stop the others.
export type Severity = 'warning' | 'fault';

export interface Problem {
  readonly severity: Severity;
  /** One sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}
export interface Check<Subject> {
  readonly name: string;
  readonly okMessage: string;
  run(subject: Subject): Promise<readonly Problem[]> | readonly Problem[];
}
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | Severity;
  readonly message: string;
  readonly fix?: string;
}

export const fault = (message: string, fix: string): Problem => ({ severity: 'fault', message, fix });
export const warning = (message: string, fix: string): Problem => ({ severity: 'warning', message, fix });

/** Problems listed per check; beyond that only their number. */
const maxProblems = 10;

export async function runChecks<Subject>(subject: Subject, checks: readonly Check<Subject>[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const problems = await runCheck(check, subject);
    if (problems.length === 0) findings.push({ check: check.name, state: 'ok', message: check.okMessage });
    for (const { severity, message, fix } of problems.slice(0, maxProblems))
      findings.push({ check: check.name, state: severity, message, fix });
    const unlisted = problems.slice(maxProblems);
    if (unlisted.length > 0)
      findings.push({ check: check.name, state: unlisted[0]!.severity, message: `And ${unlisted.length} more.` });
  }
  return findings;
}

async function runCheck<Subject>(check: Check<Subject>, subject: Subject): Promise<readonly Problem[]> {
  try {
    return await check.run(subject);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      fault(`The check could not run: ${reason}`, 'Fix the other problems listed here, then run the doctor again.'),
    ];
  }
}
