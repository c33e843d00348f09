// Hooks that call the customer and operator APIs by operation name.
//
//   const devices = useRead('deviceList', {});
//   const power = useChange('devicePowerSet', { successMessage: 'Power command sent' });
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import type { Methods as CustomerMethods } from '#sdk/v2.ts';
import type { Methods as StaffMethods } from '#sdk/operator.ts';
import { customerApi, staffApi } from './session.ts';

export type Input<M, Name extends keyof M> = M[Name] extends (input: infer I, ...rest: never[]) => unknown ? I : never;
export type Result<M, Name extends keyof M> = M[Name] extends (...input: never[]) => Promise<infer R> ? R : never;

export interface ReadOptions {
  readonly enabled?: boolean;
  /** Polling interval, for data that changes without an event. */
  readonly refetchMs?: number;
  /** Shows the previous input's response until the next one arrives. */
  readonly keepsPrevious?: true;
}
export interface ChangeOptions {
  /** Shown as a notification. */
  readonly successMessage?: string;
  /** Operations to refetch. All of the portal's by default. */
  readonly invalidates?: readonly string[];
}

export type Call = (input: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>;

export function useApiQuery<R>(
  portal: string,
  name: string,
  input: unknown,
  call: Call,
  options: ReadOptions,
): UseQueryResult<R> {
  return useQuery({
    queryKey: [portal, name, input],
    queryFn: ({ signal }) => call(input, { signal }) as Promise<R>,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.refetchMs === undefined ? {} : { refetchInterval: options.refetchMs }),
    ...(options.keepsPrevious === undefined ? {} : { placeholderData: keepPreviousData }),
  });
}

export function useApiMutation<I, R>(
  portal: string,
  call: Call,
  options: ChangeOptions,
): UseMutationResult<R, Error, I> {
  const cache = useQueryClient();
  return useMutation<R, Error, I>({
    mutationFn: (input) => call(input) as Promise<R>,
    onSuccess: async () => {
      if (options.successMessage !== undefined) notifications.show({ message: options.successMessage, color: 'teal' });
      const names = options.invalidates ?? [undefined];
      await Promise.all(
        names.map((name) => cache.invalidateQueries({ queryKey: name === undefined ? [portal] : [portal, name] })),
      );
    },
  });
}

export function useRead<Name extends keyof CustomerMethods>(
  name: Name,
  input: Input<CustomerMethods, Name>,
  options: ReadOptions = {},
): UseQueryResult<Result<CustomerMethods, Name>> {
  return useApiQuery(
    'customer',
    name,
    input,
    (request, callOptions) => (customerApi()[name] as Call)(request, callOptions),
    options,
  );
}
export function useChange<Name extends keyof CustomerMethods>(
  name: Name,
  options: ChangeOptions = {},
): UseMutationResult<Result<CustomerMethods, Name>, Error, Input<CustomerMethods, Name>> {
  return useApiMutation('customer', (request) => (customerApi()[name] as Call)(request), options);
}
export function useStaffRead<Name extends keyof StaffMethods>(
  name: Name,
  input: Input<StaffMethods, Name>,
  options: ReadOptions = {},
): UseQueryResult<Result<StaffMethods, Name>> {
  return useApiQuery(
    'staff',
    name,
    input,
    (request, callOptions) => (staffApi()[name] as Call)(request, callOptions),
    options,
  );
}
export function useStaffChange<Name extends keyof StaffMethods>(
  name: Name,
  options: ChangeOptions = {},
): UseMutationResult<Result<StaffMethods, Name>, Error, Input<StaffMethods, Name>> {
  return useApiMutation('staff', (request) => (staffApi()[name] as Call)(request), options);
}
