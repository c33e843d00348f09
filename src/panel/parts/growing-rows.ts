// Renders the first rows of a long list, and more as its end scrolls into view, so that a list of 10,000 rows reacts to
// a click as fast as a short one.
import { useEffect, useState } from 'react';

const rowsAtOnce = 30;

export interface GrowingRows<Row> {
  readonly visible: readonly Row[];
  /** For an element below the rows; undefined once all are visible. */
  readonly endRef: ((element: HTMLElement | null) => void) | undefined;
}

export function useGrowingRows<Row>(rows: readonly Row[]): GrowingRows<Row> {
  const [count, setCount] = useState(rowsAtOnce);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const hasMore = rows.length > count;
  useEffect(() => {
    if (end === null || !hasMore) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) setCount(count + rowsAtOnce);
      },
      { rootMargin: '600px' },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [end, hasMore, count]);
  return { visible: hasMore ? rows.slice(0, count) : rows, endRef: hasMore ? setEnd : undefined };
}
