include <pi-outline.scad>

linear_extrude(wall) difference() {
    outline();
    at_holes() circle(d = m25);
    for (x = [8 : 6 : 78], y = [9, 30]) translate([x, y]) square([3, 17]);
}
