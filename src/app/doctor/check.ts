// The form of a check: what it looks at, one sentence for when all is well, and problems that each bring their mend. A check
// that cannot even look is a fault of its own, and never the end of the others.
export type Severity = 'warning' | 'fault';

export interface Problem {
  readonly severity: Severity;
  /** One sentence: what is wrong. */
  readonly says: string;
  /** What to do about it. */
  readonly mend: string;
}
export interface Check<Subject> {
  readonly name: string;
  readonly fine: string;
  look(subject: Subject): Promise<readonly Problem[]> | readonly Problem[];
}
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | Severity;
  readonly says: string;
  readonly mend?: string;
}

export const fault = (says: string, mend: string): Problem => ({ severity: 'fault', says, mend });
export const warning = (says: string, mend: string): Problem => ({ severity: 'warning', says, mend });

/** Told of one check; of more like it only how many there are. */
const problemsTold = 10;

export async function examine<Subject>(subject: Subject, checks: readonly Check<Subject>[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const problems = await problemsOf(check, subject);
    if (problems.length === 0) findings.push({ check: check.name, state: 'ok', says: check.fine });
    for (const { severity, says, mend } of problems.slice(0, problemsTold))
      findings.push({ check: check.name, state: severity, says, mend });
    const more = problems.slice(problemsTold);
    if (more.length > 0)
      findings.push({ check: check.name, state: more[0]!.severity, says: `And ${more.length} more.` });
  }
  return findings;
}

async function problemsOf<Subject>(check: Check<Subject>, subject: Subject): Promise<readonly Problem[]> {
  try {
    return await check.look(subject);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [fault(`It could not be looked at: ${words}`, 'Mend what the other lines name, then look again.')];
  }
}
