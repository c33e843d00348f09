/** Marks statements that PostgreSQL plans each time (`planEachTime`). Separate from it, because some threads load no query builder. */
export const plannedEachTime = '/* planned each time */';
