// Returns the latest action in the account's list, once it has finished.
import { requestResult } from './request.ts';
import { until } from './until.ts';

export interface EndedAction {
  readonly status: string;
  readonly error: string;
  readonly code: string;
  readonly ended: string;
}

export async function waitForLastAction(server: { url: string }, key: string, service: string): Promise<EndedAction> {
  let last: EndedAction | undefined;
  const hasEnded = async (): Promise<boolean> => {
    const options = { key, params: { service, limit: 1 } };
    const result = await requestResult<EndedAction[]>(server, 'GET', '/v2/action', options);
    last = result[0];
    return last !== undefined && last.ended !== '';
  };
  await until(hasEnded, { saw: () => last });
  return last!;
}
