// The points of a workflow at which the harness intervenes.
import type { StepResult } from './workflow.ts';

/** Hooks for the harness at the points where a process can die or a step can fail. A result returned at a boundary replaces
 * the step's own. */
export interface Boundaries {
  before(direction: 'do' | 'undo', step: string): Promise<StepResult<never> | undefined>;
  after(direction: 'do' | 'undo', step: string): Promise<StepResult<never> | undefined>;
  saved(direction: 'do' | 'undo', step: string): Promise<undefined>;
}
export const noBoundaries: Boundaries = {
  before: async () => undefined,
  after: async () => undefined,
  saved: async () => undefined,
};
