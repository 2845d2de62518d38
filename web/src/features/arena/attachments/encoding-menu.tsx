/** The encoding in which an older text file was read, and a menu with others: each shows words as it reads them. */
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { loadEncodings } from "@/api/attachments";
import { asApiError } from "@/api/problem";
import { readAnew } from "@/features/arena/attachments/uploads";
import type { Attaching } from "@/features/arena/composer-store";
import { Menu, MenuChoice, MenuChoices, MenuContent, MenuLabel, MenuTrigger } from "@/ui/menu";

export function EncodingMenu({ file }: { file: Attaching }) {
  const [open, setOpen] = useState(false);
  const { stored } = file;
  const sha256 = file.original ?? stored?.sha256 ?? "";
  const { data, error } = useQuery({
    queryKey: ["encodings", sha256],
    queryFn: () => loadEncodings(sha256),
    enabled: Boolean(stored?.encoding),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!stored?.encoding) return null;
  const current = data?.find(({ encoding }) => encoding === stored.encoding);
  return (
    <Menu open={open} onOpenChange={setOpen}>
      <MenuTrigger
        className="flex touch:min-h-11 max-w-72 cursor-pointer items-center gap-1 rounded-sm text-ink-2 hover:text-ink"
        aria-label={`Encoding of ${file.name}: ${current?.name ?? stored.encoding}. Choose another`}
      >
        <span className="truncate">Read as {current?.name ?? stored.encoding}</span>
        <ChevronDown aria-hidden="true" className="size-3 shrink-0" />
      </MenuTrigger>
      <MenuContent align="start" className="max-h-[50vh]! max-w-[min(26rem,calc(100vw-24px))]">
        <MenuLabel>The file doesn’t name its encoding. Choose the one with readable words.</MenuLabel>
        {error && !data && (
          <p role="alert" className="px-2 py-1.5 text-sm text-bad">
            {asApiError(error).message}
          </p>
        )}
        <MenuChoices value={stored.encoding} onValueChange={(encoding) => readAnew(file.key, encoding)}>
          {data?.map(({ encoding, name, sample }) => (
            <MenuChoice key={encoding} value={encoding}>
              <span className="min-w-0">
                <bdi className="block truncate font-medium">{sample}</bdi>
                <span className="block truncate text-2xs text-ink-3">{name}</span>
              </span>
            </MenuChoice>
          ))}
        </MenuChoices>
      </MenuContent>
    </Menu>
  );
}
