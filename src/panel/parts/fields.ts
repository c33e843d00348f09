// What is being typed into a form, and what the interface has said against it: each word at its field.
import { useState } from 'react';
import { HostyardError } from '#sdk/v2.ts';

export interface Fields<Values> {
  readonly values: Values;
  /** For an input: its value, its change and its error. */
  input(name: keyof Values & string): {
    readonly value: string;
    readonly error: string | undefined;
    onChange(event: { readonly currentTarget: { readonly value: string } }): void;
  };
  set(change: Partial<Values>): void;
  /** Of an error, what stands at no field; undefined where all of it does. */
  refuse(error: unknown): void;
  readonly refusal: string | undefined;
  errorOf(name: string): string | undefined;
  clear(): void;
}

export function useFields<Values extends object>(first: Values): Fields<Values> {
  const [values, setValues] = useState(first);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const set = (change: Partial<Values>): void => {
    setValues((before) => ({ ...before, ...change }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))));
  };
  return {
    values,
    set,
    input: (name) => ({
      value: String(values[name as keyof Values] ?? ''),
      error: errors[name],
      onChange: (event) => set({ [name]: event.currentTarget.value } as unknown as Partial<Values>),
    }),
    refuse(error) {
      const told = error instanceof HostyardError ? error.errors : {};
      setErrors(told);
      const isAtFields = Object.keys(told).some((name) => name in values);
      setRefusal(isAtFields ? undefined : error instanceof Error ? error.message : String(error));
    },
    refusal,
    errorOf: (name) => errors[name],
    clear() {
      setValues(first);
      setErrors({});
      setRefusal(undefined);
    },
  };
}
