/** What the filter sets of a list work on. */
export type FilterSetsProps = {
  list: string;
  /** The parameters of the address that belong to the list: its filters and its sort. */
  parameters: readonly string[];
  search: URLSearchParams;
  onChoose: (values: Record<string, string | undefined>) => void;
};
