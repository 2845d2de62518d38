"""Tables: CSV, TSV, Parquet, XLSX and JSONL files of a session, which models and people ask with SQL."""
