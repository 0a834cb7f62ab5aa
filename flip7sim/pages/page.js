// A click on a column's head sorts the table by it: numbers downwards first, words upwards; a second click turns it round.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const numeric = head.classList.contains("number");
    head.querySelector("button").addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const first = numeric ? "descending" : "ascending";
      const second = numeric ? "ascending" : "descending";
      const order = before === first ? second : first;
      const sign = order === "ascending" ? 1 : -1;
      const value = (row) => {
        const cell = row.cells[column];
        return numeric ? parseFloat(cell.dataset.value) : cell.textContent;
      };
      const compare = (one, other) => {
        const [a, b] = [value(one), value(other)];
        if (!numeric) return sign * a.localeCompare(b, "en", { numeric: true });
        // What has no number comes last, either way.
        return isNaN(a) - isNaN(b) || sign * (a - b) || 0;
      };
      body.append(...[...body.rows].sort(compare));
      heads.forEach((other) => other.setAttribute("aria-sort", other === head ? order : "none"));
    });
  });
}
