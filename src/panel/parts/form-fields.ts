// The values of a form and the errors that the API returned for its fields.
import { useState } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { errorText } from './error-text.ts';
import { fieldErrorText } from './field-errors.ts';

export interface FormFields<Values> {
  readonly values: Values;
  /** Props for an input. */
  input(name: keyof Values & string): {
    readonly value: string;
    readonly error: string | undefined;
    onChange(event: { readonly currentTarget: { readonly value: string } }): void;
  };
  set(change: Partial<Values>): void;
  /** Shows an API error at the fields it names, or as `formError` if the form shows none of them. Undefined removes it. */
  showError(error: unknown): void;
  readonly formError: string | undefined;
  errorOf(name: string): string | undefined;
  reset(): void;
}

export function useFormFields<Values extends object>(initialValues: Values): FormFields<Values> {
  const [values, setValues] = useState(initialValues);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [formError, setFormError] = useState<string>();
  const set = (change: Partial<Values>): void => {
    setValues((current) => ({ ...current, ...change }));
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([name]) => !(name in change))));
  };
  /** Whose errors the form shows; a field may be hidden, or have no place for one. */
  const shown = new Set<string>();
  const errorOf = (name: string): string | undefined => {
    shown.add(name);
    return errors[name];
  };
  return {
    values,
    set,
    input: (name) => ({
      value: String(values[name as keyof Values] ?? ''),
      error: errorOf(name),
      onChange: (event) => set({ [name]: event.currentTarget.value } as unknown as Partial<Values>),
    }),
    showError(error) {
      const fieldErrors = error instanceof HostyardError ? error.errors : {};
      setErrors(Object.fromEntries(Object.entries(fieldErrors).map(([name, text]) => [name, fieldErrorText(text)])));
      const isVisible = error === undefined || Object.keys(fieldErrors).some((name) => shown.has(name));
      setFormError(isVisible ? undefined : error instanceof Error ? errorText(error).message : String(error));
    },
    formError,
    errorOf,
    reset() {
      setValues(initialValues);
      setErrors({});
      setFormError(undefined);
    },
  };
}
