// Tasks of a lab Redfish service, whose results are polled from a task monitor.
import { errorResponse, type Body, type RedfishResponse } from './response.ts';

interface LabTask {
  readonly id: string;
  readonly outcome: RedfishResponse;
  readonly doneAtMs: number;
}

const taskMs = 50;

export class LabTasks {
  readonly #tasks = new Map<string, LabTask>();
  #count = 0;

  start(end: 'Completed' | 'Exception'): RedfishResponse {
    const id = String(++this.#count);
    const outcome =
      end === 'Completed' ? { status: 204 } : errorResponse(500, 'InternalError', 'The operation failed halfway.');
    this.#tasks.set(id, { id, outcome, doneAtMs: performance.now() + taskMs });
    return this.#running(id);
  }

  /** The task monitor: returns 202 while the task runs, then the response of the original request. */
  poll(id: string): RedfishResponse | undefined {
    const task = this.#tasks.get(id);
    if (task === undefined) return undefined;
    return performance.now() < task.doneAtMs ? this.#running(id) : task.outcome;
  }

  #running(id: string): RedfishResponse {
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
