/** A table that scrolls in its own area, for exact figures beside a picture. */

import { Table, type TableProps } from "@/components/table";

export const ScrollTable = <Row,>(props: TableProps<Row, string>) => (
  <Table dense scroll="max-h-[420px] border border-line bg-surface" {...props} />
);
