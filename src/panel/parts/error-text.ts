// Errors in words for people. Those of the browser name files and differ between browsers.
import { HostyardError } from '#sdk/v2.ts';
import { t, tError } from '../text/text.ts';

const moduleFailure = /dynamically imported module|importing a module script|unable to preload/i;

/** Returns true if a part of the panel could not be fetched: there is no connection, or the panel has been updated. */
export function isModuleFailure({ message }: Error): boolean {
  return moduleFailure.test(message);
}

export function errorText(error: Error): { readonly title: string; readonly message: string } {
  if (isModuleFailure(error))
    return { title: t('This page could not be loaded'), message: t('Check your internet connection, then try again.') };
  if (error instanceof HostyardError && error.code === 'connection_failed')
    return {
      title: t('No connection'),
      message: t('The server did not respond. Check your internet connection, then try again.'),
    };
  const message = error instanceof HostyardError ? tError(error.code, error.message) : error.message;
  return { title: t('Something went wrong'), message };
}
