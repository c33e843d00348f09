// Tasks of a lab Redfish service, whose results are polled from a task monitor.
import { resourceBody, root } from './resource.ts';
import { errorResponse, type RedfishResponse } from './response.ts';

interface LabTask {
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
    this.#tasks.set(id, { outcome, doneAtMs: performance.now() + taskMs });
    return this.#running(id);
  }

  /** The task monitor: returns 202 while the task runs, then the response of the original request. */
  poll(id: string): RedfishResponse | undefined {
    const task = this.#tasks.get(id);
    if (task === undefined) return undefined;
    return performance.now() < task.doneAtMs ? this.#running(id) : task.outcome;
  }

  #running(id: string): RedfishResponse {
    const monitor = `${root}/TaskService/TaskMonitors/${id}`;
    const properties = { TaskState: 'Running', TaskMonitor: monitor };
    const body = resourceBody(`${root}/TaskService/Tasks/${id}`, 'Task.v1_6_0', `Task ${id}`, properties);
    return { status: 202, body, headers: { location: monitor } };
  }
}
