// Reading and changing over the two interfaces, by the names of their operations.
//
//   const devices = useRead('deviceList', {});
//   const power = useChange('devicePowerSet', { done: 'Power command sent.' });
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
import { customer, staff } from './session.ts';

export type Input<M, Name extends keyof M> = M[Name] extends (input: infer I, ...rest: never[]) => unknown ? I : never;
export type Result<M, Name extends keyof M> = M[Name] extends (...input: never[]) => Promise<infer R> ? R : never;

export interface ReadOptions {
  readonly enabled?: boolean;
  /** For what no event tells of. */
  readonly everyMs?: number;
  /** The answer to the question before stays until that to the next is there. */
  readonly keepsLast?: true;
}
export interface ChangeOptions {
  /** What is said when it is done. */
  readonly done?: string;
  /** Operations whose answers are read again; all that is on the page unless given. */
  readonly changes?: readonly string[];
}

export type Call = (input: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>;

export function useReading<R>(
  face: string,
  name: string,
  input: unknown,
  call: Call,
  options: ReadOptions,
): UseQueryResult<R> {
  return useQuery({
    queryKey: [face, name, input],
    queryFn: ({ signal }) => call(input, { signal }) as Promise<R>,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.everyMs === undefined ? {} : { refetchInterval: options.everyMs }),
    ...(options.keepsLast === undefined ? {} : { placeholderData: keepPreviousData }),
  });
}

export function useChanging<I, R>(face: string, call: Call, options: ChangeOptions): UseMutationResult<R, Error, I> {
  const cache = useQueryClient();
  return useMutation<R, Error, I>({
    mutationFn: (input) => call(input) as Promise<R>,
    onSuccess: async () => {
      if (options.done !== undefined) notifications.show({ message: options.done, color: 'teal' });
      const names = options.changes ?? [undefined];
      await Promise.all(
        names.map((name) => cache.invalidateQueries({ queryKey: name === undefined ? [face] : [face, name] })),
      );
    },
  });
}

export function useRead<Name extends keyof CustomerMethods>(
  name: Name,
  input: Input<CustomerMethods, Name>,
  options: ReadOptions = {},
): UseQueryResult<Result<CustomerMethods, Name>> {
  return useReading('customer', name, input, (given, more) => (customer()[name] as Call)(given, more), options);
}
export function useChange<Name extends keyof CustomerMethods>(
  name: Name,
  options: ChangeOptions = {},
): UseMutationResult<Result<CustomerMethods, Name>, Error, Input<CustomerMethods, Name>> {
  return useChanging('customer', (given) => (customer()[name] as Call)(given), options);
}
export function useStaffRead<Name extends keyof StaffMethods>(
  name: Name,
  input: Input<StaffMethods, Name>,
  options: ReadOptions = {},
): UseQueryResult<Result<StaffMethods, Name>> {
  return useReading('staff', name, input, (given, more) => (staff()[name] as Call)(given, more), options);
}
export function useStaffChange<Name extends keyof StaffMethods>(
  name: Name,
  options: ChangeOptions = {},
): UseMutationResult<Result<StaffMethods, Name>, Error, Input<StaffMethods, Name>> {
  return useChanging('staff', (given) => (staff()[name] as Call)(given), options);
}
