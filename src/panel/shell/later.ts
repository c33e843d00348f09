// Parts of the panel that load after the page, so that they do not delay it.
import { useDisclosure, useTimeout } from '@mantine/hooks';
import { useEffect, useState, type ComponentType } from 'react';

const laterMs = 3000;
const retryMs = 5000;

/** Returns whether it is time to load them, and a function that says so at once. */
export function useLater(): readonly [isLater: boolean, loadNow: () => void] {
  const [isLater, { open: loadNow }] = useDisclosure(false);
  useTimeout(loadNow, laterMs, { autoInvoke: true });
  return [isLater, loadNow];
}

/** Loads a part when it is needed, and tries again without a connection: unlike `lazy`, a failure breaks nothing. */
export function usePart<Props>(
  load: () => Promise<ComponentType<Props>>,
  isNeeded: boolean,
): ComponentType<Props> | undefined {
  const [part, setPart] = useState<ComponentType<Props>>();
  const isMissing = isNeeded && part === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const tryToLoad = (): Promise<void> =>
      load().then(
        (loaded) => setPart(() => loaded),
        () => void (isGone || (retry = setTimeout(tryToLoad, retryMs))),
      );
    void tryToLoad();
    return () => {
      isGone = true;
      clearTimeout(retry);
    };
  }, [isMissing, load]);
  return part;
}
