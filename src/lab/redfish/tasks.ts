// Tasks of a lab Redfish service: an answer that is given later, under a monitor of its own.
import { refusal, type Body, type Outcome } from './outcome.ts';

interface LabTask {
  readonly id: string;
  readonly outcome: Outcome;
  readonly doneAtMs: number;
}

const taskMs = 50;

export class LabTasks {
  readonly #tasks = new Map<string, LabTask>();
  #count = 0;

  start(end: 'Completed' | 'Exception'): Outcome {
    const id = String(++this.#count);
    const outcome =
      end === 'Completed' ? { status: 204 } : refusal(500, 'InternalError', 'The operation failed half-way.');
    this.#tasks.set(id, { id, outcome, doneAtMs: performance.now() + taskMs });
    return this.#running(id);
  }

  /** The monitor: 202 as long as it runs, then what the request itself would have answered. */
  look(id: string): Outcome | undefined {
    const task = this.#tasks.get(id);
    if (task === undefined) return undefined;
    return performance.now() < task.doneAtMs ? this.#running(id) : task.outcome;
  }

  #running(id: string): Outcome {
    const body: Body = {
      '@odata.id': `/redfish/v1/TaskService/Tasks/${id}`,
      '@odata.type': '#Task.v1_6_0.Task',
      Id: id,
      Name: `Task ${id}`,
      TaskState: 'Running',
      TaskMonitor: monitorPath(id),
    };
    return { status: 202, body, headers: { location: monitorPath(id) } };
  }
}

function monitorPath(id: string): string {
  return `/redfish/v1/TaskService/TaskMonitors/${id}`;
}
